import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { nodePackages } from "../../local/src/newer-node.ts";
import { DEFAULT_PORT } from "../../local/src/start/port.ts";
import { root } from "../commands.mjs";

/** Files that users read or copy. */
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
/** Other programs with fixed ports: Ollama, the page of examples/chatbot, and the preview of the site. */
const OTHERS = ["11434", "3000", "4173"];

const { stdout } = spawnSync("git", ["ls-files", "--", ...READ], { cwd: root, encoding: "utf8" });
const files = stdout.trim().split("\n");
const read = (file) => readFileSync(join(root, file), "utf8");

test("every address that documents, examples and programs name has the default port", () => {
  const named = files.flatMap((file) =>
    [...read(file).matchAll(/(?:127\.0\.0\.1|localhost|\[::1\]):(\d{2,5})/g)].map(([, port]) => [file, port]),
  );
  expect(named.length).toBeGreaterThan(60);
  const others = named.filter(([, port]) => ![String(DEFAULT_PORT), ...OTHERS].includes(port));
  expect(others).toEqual([]);
  expect(read("cli/src/connection.ts")).toContain(`DEFAULT_PORT = ${DEFAULT_PORT};`);
});

describe("the oldest Node that runs Engram", () => {
  const manifest = (folder) => JSON.parse(read(join(folder, "package.json")));
  const { engines, optionalDependencies } = manifest(".");
  const oldest = engines.node.replace(">=", "");

  test("is the same in each published package", () => {
    const folders = globSync("{*,*/*}/package.json", { cwd: root, exclude: ["**/node_modules/**"] }).map(
      dirname,
    );
    const published = folders.filter((folder) => manifest(folder).publishConfig !== undefined);
    expect(published.sort()).toEqual(["cli", "local", "sdk", "sentences"]);
    for (const folder of published) expect(manifest(folder).engines, folder).toEqual({ node: `>=${oldest}` });
  });

  test("is the only one that documents name", () => {
    const named = files
      .filter((file) => file.endsWith(".md") && !file.startsWith("proof/"))
      .flatMap((file) =>
        [...read(file).matchAll(/Node (\d+(?:\.\d+)*)(?= (?:or|and) (?:later|newer|above))/g)].map(
          ([, version]) => [file, version],
        ),
      );
    expect(named.map(([file]) => file)).toEqual(
      expect.arrayContaining([
        ...["README.md", "CONTRIBUTING.md", "docs/deploy.md"],
        ...["cli/README.md", "local/README.md", "sdk/README.md", "site/pages/start.md"],
      ]),
    );
    expect(named.filter(([, version]) => version !== oldest)).toEqual([]);
  });

  test("downloads the Node of this repository where it cannot run the service itself", () => {
    const packages = Object.entries(optionalDependencies).map(([name, version]) => `${name}@${version}`);
    expect(nodePackages().sort()).toEqual(packages.sort());
    for (const name of Object.keys(optionalDependencies))
      expect(read("scripts/run.mjs")).toContain(`"${name}"`);
  });
});
