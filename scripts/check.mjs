// Checks formatting, lint rules, types, generated files, the OpenAPI document, import directions, migrations and
// the programs in documents.
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { pluginFiles } from "../cli/plugin.ts";
import { checkBlocks } from "./blocks.mjs";
import { root, runAll, runBuffered } from "./commands.mjs";
import { checkMigrations } from "./migrations.mjs";
import { checkPython } from "./python.mjs";
import { checkScore } from "./score.mjs";
import { checkSnippets } from "./snippets.mjs";

const GENERATED = [
  "spec/openapi.json",
  "spec/asyncapi.json",
  ...["client", "limits", "resources", "schema", "types"].map((name) => `sdk/src/generated/${name}.ts`),
  "cli/src/generated/operations.json",
  ...pluginFiles({ version: "", license: "", homepage: "" }).keys(),
  "service/src/text/generated/byte-pairs.ts",
  "service/src/text/generated/date-names.ts",
  "service/src/text/generated/word-frequencies.ts",
];

// By default redocly sends usage data and checks for updates.
Object.assign(process.env, { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" });

async function checkGenerated() {
  const read = () => GENERATED.map((file) => readFileSync(join(root, file), "utf8"));
  const before = read();
  await runBuffered(".", "node", "scripts/generate.mjs");
  const changed = GENERATED.filter((_, i) => read()[i] !== before[i]);
  if (changed.length > 0) throw new Error(`not up to date, run \`npm run generate\`: ${changed.join(", ")}`);
}

// The other steps read what this one writes.
await runAll([checkGenerated]);
// The longest first.
await runAll(
  [
    // TypeScript 7, whose `tsc` takes a third of the time. Other packages need the API of 5.
    () => runBuffered(".", "tsc", "--build"),
    () => runBuffered(".", "biome", "check", "."),
    () => runBuffered("spec", "redocly", "lint", "openapi.json", "--max-problems", "1000"),
    () => runBuffered("spec", "redocly", "lint", "asyncapi.json"),
    () => checkScore(),
    async () => checkBlocks(),
    () => runBuffered(".", "depcruise", "."),
    async () => checkMigrations(),
    async () => checkPython(),
    async () => checkSnippets(),
  ],
  availableParallelism(),
);
