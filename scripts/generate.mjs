// Generates the OpenAPI document from the contracts, the SDK's types, methods and limits and the operations of
// `engram api` from the document, the plugin for coding agents, and the service's tables of word frequencies and tokens.
import { run } from "./commands.mjs";

await run("spec", "node", "generate.ts");
await run("sdk", "node", "generate.ts");
await run("cli", "node", "generate.ts");
await run("service", "node", "generate.ts");
