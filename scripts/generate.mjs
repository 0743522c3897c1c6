// Generates the OpenAPI document from the contracts, the SDK's types and methods and the operations of `engram api` from
// the document, the clients' copies of the limits, and the service's tables of word frequencies and tokens.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./commands.mjs";

await run("spec", "node", "generate.ts");
await run("sdk", "node", "generate.ts");
await run("cli", "node", "generate.ts");
for (const client of ["sdk", "cli", "console"]) {
  const limits = readFileSync(join(root, "spec/src/limits.ts"));
  const header = "// Generated from spec/src/limits.ts by `npm run generate`. Do not edit.\n\n";
  writeFileSync(join(root, client, "src/generated/limits.ts"), header + limits);
}
await run("service", "node", "generate.ts");
