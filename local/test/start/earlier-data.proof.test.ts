import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { scale } from "../../../proof/support/scale.ts";
import { databaseFile, earlierDatabaseFile } from "../../src/start/database.ts";
import { isAlive } from "../../src/start/processes.ts";
import { ask, cleanUp, exitCode, launch, makeDataDirectory, runs, start, until } from "./running.ts";

afterAll(cleanUp);

const KILLS = scale(12, 3);

it("data of version 0.1 opens unchanged, also if starts were killed while they moved the database", async () => {
  const ENGRAM_DATA = makeDataDirectory();
  const first = await start("run.mjs", { ENGRAM_DATA });
  const created = await ask(first, "/v1/conversations", { title: "kept" });
  const { id } = (await created.json()) as { id: string };
  // Without a moment to merge SQLite's log into the file.
  process.kill(first.workerd, "SIGKILL");
  process.kill(first.pid, "SIGKILL");
  await exitCode(first.launcher);
  const file = databaseFile(join(ENGRAM_DATA, "v3"));
  const earlier = earlierDatabaseFile(join(ENGRAM_DATA, "v3"));
  mkdirSync(dirname(earlier), { recursive: true });
  for (const end of ["", "-wal", "-shm"]) {
    if (existsSync(`${file}${end}`)) renameSync(`${file}${end}`, `${earlier}${end}`);
  }
  expect(existsSync(`${earlier}-wal`)).toBe(true);

  // In turn: as soon as its record is there, when the database has moved, and when workerd has begun.
  const moments = [
    () => existsSync(join(ENGRAM_DATA, "running.json")),
    () => existsSync(file),
    () => (readFileSync(join(ENGRAM_DATA, "running.json"), "utf8").match(/"pid"/g)?.length ?? 0) > 1,
  ];
  for (let kills = 0; kills < KILLS; kills++) {
    const { child } = launch("run.mjs", { ENGRAM_DATA, PORT: "0" });
    await until(() => {
      try {
        return moments[kills % moments.length]?.() ?? true;
      } catch {
        return false;
      }
    }, 60_000);
    child.kill("SIGKILL");
    await exitCode(child);
    const pid = Number(JSON.parse(readFileSync(join(ENGRAM_DATA, "running.json"), "utf8")).pid);
    if (isAlive(pid)) process.kill(pid, "SIGKILL");
    await until(() => !runs(pid), 60_000);
  }

  const again = await start("run.mjs", { ENGRAM_DATA });
  expect(again.key).toBe(first.key);
  expect(await (await ask(again, `/v1/conversations/${id}`)).json()).toMatchObject({ title: "kept" });
  expect(existsSync(earlier)).toBe(false);
});
