import { applyD1Migrations } from "cloudflare:test";
import { env as workerEnv } from "cloudflare:workers";
import { afterAll, afterEach, beforeEach, expect } from "vitest";
import { replay } from "./both-databases.ts";
import { d1, env } from "./env.ts";
import { beginTest, endTest, forgetCells, isInCells } from "./places.ts";

const SHOWN_DIFFERENCES = 3;

// Not `d1`, whose calls are recorded.
const { DB: database } = workerEnv as unknown as typeof env;
await applyD1Migrations(database, env.MIGRATIONS);

// Files share a database. Each starts with an empty one, because its sweeps would process what others have left.
const { results: tables } = await database
  .prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND (name = 'organizations' OR sql LIKE '%organization_id TEXT%')",
  )
  .all<{ name: string }>();
await d1.batch(
  [
    "PRAGMA defer_foreign_keys = ON",
    ...tables.map(({ name }) => `DELETE FROM ${name}`),
    "DELETE FROM sqlite_sequence",
    "INSERT INTO message_words (message_words) VALUES ('delete-all')",
    "INSERT INTO message_phrases (message_phrases) VALUES ('delete-all')",
  ].map((sql) => d1.prepare(sql)),
);
// Files share the stand-ins too. A fault or a delay that a file leaves would make the next one fail.
await env.CONTROL.clearFaults();
await env.CONTROL.setVisibilityDelayMs(0);
await env.CONTROL.flush();

if (isInCells) {
  forgetCells();
  beforeEach(beginTest);
  afterEach(endTest);
}

// In `npm run test:full`, the database of `npm start` must answer every call of each file as D1 does.
afterAll(async () => {
  if (env.REPLAYS === "") return;
  const differences = await replay(env.REPLAY_DB, env.DATABASE, env.MIGRATIONS);
  expect(differences.slice(0, SHOWN_DIFFERENCES)).toEqual([]);
});
