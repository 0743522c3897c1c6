import { execFileSync, spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ask, cleanUp, exitCode, runs, runToEnd, start, until } from "./running.ts";

const disk = mkdtempSync(join(tmpdir(), "engram-full-disk-"));
const filler = join(disk, "filler");
let isMounted = false;

beforeAll(() => {
  isMounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64m", "none", disk]).status === 0;
});
afterAll(async () => {
  await cleanUp();
  if (isMounted) execFileSync("umount", [disk]);
  rmSync(disk, { recursive: true, force: true });
});

/** Writes as another program does, until the disk has not a byte left. */
function fill(): void {
  const file = openSync(filler, "w");
  try {
    for (;;) writeSync(file, Buffer.alloc(4_096, 1));
  } catch (error) {
    expect(error).toMatchObject({ code: "ENOSPC" });
  } finally {
    closeSync(file);
  }
}

const codeOf = async (response: Response): Promise<[number, string]> => [
  response.status,
  ((await response.json()) as { code?: string }).code ?? "",
];

describe("on a full disk", () => {
  it("writes answer 507, reads and searches work, one line says so, and with space all works again", async ({
    skip,
  }) => {
    skip(!isMounted, "only root can mount a disk of its own");
    const ENGRAM_DATA = join(disk, "data");
    const service = await start("run.mjs", { ENGRAM_DATA });
    const create = (title: string) => ask(service, "/v1/conversations", { title });
    expect((await create("before")).status).toBe(201);
    const printed = service.output().length;

    fill();
    // The service looks at the disk once a second, and a small write may still find space.
    await until(async () => (await create("before")).status === 507, 60_000);
    for (let i = 0; i < 5; i++) {
      expect(await codeOf(await create("full"))).toEqual([507, "insufficient_storage"]);
      const list = await ask(service, "/v1/conversations");
      expect(await list.json()).toMatchObject({
        items: expect.arrayContaining([expect.objectContaining({ title: "before" })]),
      });
      expect((await ask(service, "/v1/search", { query: "before" })).status).toBe(200);
    }
    // The service outlives its runtime, which opens the database again.
    process.kill(service.workerd, "SIGKILL");
    const listsAgain = () =>
      ask(service, "/v1/conversations").then(
        ({ status }) => status === 200,
        () => false,
      );
    await until(listsAgain, 60_000);
    expect(await codeOf(await create("full"))).toEqual([507, "insufficient_storage"]);

    rmSync(filler);
    await until(async () => (await create("after")).status === 201, 60_000);
    expect(runs(service.pid)).toBe(true);
    const lines = service.output().slice(printed).trimEnd().split("\n");
    expect(lines).toEqual([
      expect.stringMatching(/^The disk of .* is nearly full: 0 MB are free\. Writes are refused until/),
      "The Workers runtime crashed and was started again.",
      expect.stringMatching(/^The disk of .* has space again/),
    ]);
    service.launcher.kill("SIGTERM");
    expect(await exitCode(service.launcher)).toBe(0);

    fill();
    for (const data of [ENGRAM_DATA, join(disk, "new")]) {
      const { code, output } = await runToEnd({ ENGRAM_DATA: data, PORT: "0" });
      expect([code, output]).toEqual([
        1,
        expect.stringMatching(/(is full\. Free|cannot be used:).*\n?.*\n$/),
      ]);
      expect(output).not.toMatch(/^ +at /m);
    }
  });
});
