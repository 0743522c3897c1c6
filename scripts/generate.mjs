// Generates the OpenAPI document from the contracts, the SDK's types from the document, and the service's table of
// word frequencies.
import { run } from "./commands.mjs";

await run("spec", "node", "generate.ts");
await run("sdk", "node", "generate.ts");
await run("service", "node", "generate.ts");
