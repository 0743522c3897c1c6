import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readStartOptions } from "../../src/start/options.ts";

const read = (args: string[], env: Record<string, string> = {}) => readStartOptions(args, env);

test.for([["--port", "9123"], ["--port=9123"]])(
  "`%s` takes precedence over PORT, and --data over ENGRAM_DATA",
  (args) => {
    const env = { PORT: "26366", ENGRAM_DATA: ".engram" };
    expect(read([...args, "--data", "notes"], env)).toMatchObject({ port: 9123, data: "notes" });
    expect(read([], env)).toMatchObject({ port: 26366, data: ".engram" });
    expect(read([], { PORT: "", ENGRAM_DATA: "" })).toMatchObject({ port: undefined, data: undefined });
  },
);

test.for([
  [["--prot", "9123"], "Unknown option '--prot'. The option --help lists the options."],
  [["9123"], "Unexpected argument '9123'. The option --help lists the options."],
  [["--port"], "Option '--port <value>' argument missing. The option --help lists the options."],
  [["--port", "70000"], '--port must be a number from 0 (any free port) to 65535, not "70000".'],
  [["--port="], "--port must be a number."],
  [["--data="], "--data must name a directory."],
] as const)("refuses %j with one line", ([args, line]) => {
  expect(() => read([...args])).toThrow(expect.objectContaining({ message: line }));
});

test("has each option of `engram start`", () => {
  const source = readFileSync(join(import.meta.dirname, "../../../cli/src/commands/start.ts"), "utf8");
  const options = [...source.matchAll(/(?:option|Option)\(\s*"--(\w+) /g)].map(([, name = ""]) => name);
  expect(options).toEqual(["port", "data"]);
  for (const name of options) expect(read([`--${name}=1`])).toMatchObject({ [name]: expect.anything() });
});
