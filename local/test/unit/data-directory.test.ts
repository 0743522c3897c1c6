import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openDataDirectory } from "../../src/start/data-directory.ts";

test.for(["/proc/nope", "file/below"])(
  "npm start reports that a data directory cannot be created: %s",
  async (name) => {
    const directory = mkdtempSync(join(tmpdir(), "engram-data-"));
    writeFileSync(join(directory, "file"), "");
    const path = name.startsWith("/") ? name : join(directory, name);
    await expect(openDataDirectory(path)).rejects.toThrow(
      /^The data directory cannot be created: .*ENGRAM_DATA/,
    );
    rmSync(directory, { recursive: true });
  },
);
