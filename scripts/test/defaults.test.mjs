import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DEFAULT_PORT } from "../../local/src/start/port.ts";
import { root } from "../commands.mjs";

/** What users read or copy. */
const READ = [
  "*.md",
  "examples",
  "sdk/src",
  "cli/src",
  "deploy/src",
  "site/pages",
  "site/scripts",
  "local/src",
];
/** Programs of others, on the ports that they have. */
const OLLAMA = "11434";

const { stdout } = spawnSync("git", ["ls-files", "--", ...READ], { cwd: root, encoding: "utf8" });
const files = stdout.trim().split("\n");
const read = (file) => readFileSync(join(root, file), "utf8");

test("every address that documents, examples and programs name has the default port", () => {
  const named = files.flatMap((file) =>
    [...read(file).matchAll(/(?:127\.0\.0\.1|localhost|\[::1\]):(\d{2,5})/g)].map(([, port]) => [file, port]),
  );
  expect(named.length).toBeGreaterThan(60);
  const others = named.filter(([, port]) => port !== String(DEFAULT_PORT) && port !== OLLAMA);
  expect(others).toEqual([]);
  expect(read("cli/src/connection.ts")).toContain(`DEFAULT_PORT = ${DEFAULT_PORT};`);
});
