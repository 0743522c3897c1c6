import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openDataDirectory } from "../../src/start/data-directory.ts";

test.for([
  ["cannot be created", "/proc/nope", "ENOENT"],
  ["is below a file", "file/below", "ENOTDIR"],
  ["has a directory in place of the key", "key-is-a-directory", "EISDIR"],
  ["has a directory in place of the lock", "lock-is-a-directory", "EISDIR"],
  ["has another file in place of the lock", "lock-is-a-file", "file is not a database"],
] as const)("npm start reports in a sentence that the data directory %s", async ([, name, reason]) => {
  const directory = mkdtempSync(join(tmpdir(), "engram-data-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  writeFileSync(join(directory, "file"), "");
  mkdirSync(join(directory, "key-is-a-directory/key"), { recursive: true });
  mkdirSync(join(directory, "lock-is-a-directory/lock"), { recursive: true });
  mkdirSync(join(directory, "lock-is-a-file"));
  writeFileSync(join(directory, "lock-is-a-file/lock"), "not a database ".repeat(100));
  const path = name.startsWith("/") ? name : join(directory, name);
  const failure = await openDataDirectory(path).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    name: "StartError",
    message: expect.stringMatching(
      new RegExp(
        `^The data directory ${path} cannot be used: .*${reason}.*\\nSet ENGRAM_DATA to another directory.$`,
      ),
    ),
  });
});
