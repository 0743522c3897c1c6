// Generates the OpenAPI document from the contracts, and the SDK's types from the document.
import { run } from "./commands.mjs";

await run("spec", "node", "generate.ts");
await run("sdk", "node", "generate.ts");
