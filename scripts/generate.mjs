// What is made from the contracts: the OpenAPI document, and from it the SDK's types.
import { run } from "./commands.mjs";

await run("spec", "node", "generate.ts");
await run("sdk", "node", "generate.ts");
