import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { createOutput } from "../src/output.ts";
import { createPerson } from "./support/program.ts";

/** An escape sequence, a C1 control that begins one, and a bell. */
const HOSTILE = "\u001b[31m\u009b2J\u0007evil";
/** Characters that control a terminal, except line breaks and tabs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

describe("control characters", () => {
  test.for<[string, (file: string) => string[]]>([
    ["a captured file", (file) => ["capture", file]],
    ["a missing file", (file) => ["capture", `${file}x`]],
    ["an empty import", (file) => ["import", "ndjson", file]],
    ["a missing import", (file) => ["import", "chatgpt", `${file}x`]],
    ["an export", (file) => ["export", file]],
    ["an export to a missing directory", (file) => ["export", join(file, "backup")]],
    ["an unknown command", (file) => [file]],
  ])("are not printed if the name of %s contains them", async ([, command]) => {
    const { run, home } = await createPerson();
    const file = join(home, `note${HOSTILE}`);
    writeFileSync(file, "the kettle leaks");
    const { stdout, stderr } = await run(command(file));
    expect(stdout + stderr).toContain("evil");
    expect(stdout + stderr).not.toMatch(CONTROLS);
    const json = await run([...command(file), "--json"]);
    expect(json.stdout + json.stderr).not.toMatch(CONTROLS);
  });

  test("are removed from all text that a command prints", () => {
    const write = vi.spyOn(process.stdout, "write").mockReturnValue(true);
    createOutput(false).data(null, () => `title ${HOSTILE}`);
    const written = write.mock.calls.flat().join("");
    write.mockRestore();
    expect(written).toBe("title  [31m 2J evil\n");
  });

  test("are not printed if an imported file contains them", async () => {
    const { run, home } = await createPerson();
    const file = join(home, "backup.ndjson");
    writeFileSync(file, `${JSON.stringify({ type: `memory${HOSTILE}`, [HOSTILE]: HOSTILE })}\n`);
    const { stdout, stderr } = await run(["import", "ndjson", file]);
    expect(stdout).toMatch(/Not understood|Rejected/);
    expect(stdout + stderr).not.toMatch(CONTROLS);
  });

  test("in stored text are escaped in JSON output and in an export, and the text is unchanged", async () => {
    const { run, client } = await createPerson();
    const content = "the kettle\u007f\u0080\u009b\u009f leaks";
    const { id } = await client.memories.create({ content });
    const shown = await run(["memories", "get", id, "--json"]);
    const exported = await run(["export"]);
    for (const { stdout } of [shown, exported]) {
      expect(stdout).toContain("\\u009b");
      expect(stdout).not.toMatch(CONTROLS);
      expect(JSON.parse(stdout.split("\n")[0] ?? "")).toMatchObject({ content });
    }
  });
});
