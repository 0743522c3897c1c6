import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fixture } from "./support/importing.ts";
import { createPerson } from "./support/program.ts";

const PACKAGE = join(import.meta.dirname, "..");
const { publishConfig, scripts, version } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));

test("what is published runs as it is installed: one file, beside its packages", async () => {
  const { env } = await createPerson();
  const [, ...args] = (scripts.build as string).split(" ");
  execFileSync("esbuild", args, { cwd: PACKAGE, stdio: "pipe" });
  const program = join(PACKAGE, publishConfig.bin.engram);
  const run = (...argv: string[]) =>
    execFileSync(process.execPath, [program, ...argv], { env, encoding: "utf8" });
  expect(run("--version")).toBe(`${version}\n`);
  expect(
    JSON.parse(run("import", "chatgpt", fixture("chatgpt.json"), "--json")).stored.messages.created,
  ).toBe(17);
  expect(JSON.parse(run("doctor", "--json")).healthy).toBe(true);
});
