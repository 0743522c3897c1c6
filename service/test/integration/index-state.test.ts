import * as contracts from "@engram/spec";
import { expect, test } from "vitest";
import { run } from "../../src/platform/sql.ts";
import { searchState } from "../../src/search/state-queries.ts";
import { createKey, createOrganization, seedConversation } from "../support/client.ts";
import { RowsRead } from "../support/counting.ts";
import { env } from "../support/env.ts";
import { Service } from "../support/invocations.ts";

const LIMIT = 20;

/** An organization with one conversation of an agent, and a service that counts the rows it reads. */
async function openCounted() {
  const own = await createOrganization();
  const { organizationId } = own;
  await seedConversation(own, ["1", "2", "3"], { agent_id: "bot" });
  const rows = new RowsRead();
  const service = new Service({ DB: rows.db }, undefined, { statusRows: LIMIT, searchStateRows: LIMIT });
  const bot = await createKey(own, { scopes: ["read"], agent_id: "bot" });
  /** Conversations of another agent, or of none, each with a job, a chunk of this model, and a vector to delete. */
  const fill = async (from: number, to: number, model: string, agentId: string | null = null) => {
    const insert = (sql: string, ...more: unknown[]) =>
      env.DB.prepare(
        `WITH RECURSIVE n (i) AS (SELECT CAST(?2 AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < ?3) ${sql}`,
      )
        .bind(organizationId, from, to, ...more)
        .run();
    await insert(
      `INSERT INTO conversations (organization_id, id, agent_id, message_count, last_sequence, created_at_ms, updated_at_ms)
       SELECT ?1, 'conv_' || i, ?4, 1, 1, i, i FROM n`,
      agentId,
    );
    await insert(
      `INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, due_at_ms)
       SELECT ?1, 'conv_' || i, 1, 1, 9e15 FROM n`,
    );
    await insert(
      `INSERT INTO conversation_chunks (organization_id, id, conversation_id, vector_id, window_start, start_sequence,
                                        end_sequence, model, text_hash, indexed_at_ms)
       SELECT ?1, 'chk_' || i, 'conv_' || i, ?1 || 'v' || i, 1, 1, 1, ?4, '', 1 FROM n`,
      model,
    );
    await insert(
      `INSERT INTO vector_deletions (organization_id, vector_id, conversation_id, queued_at_ms, due_at_ms)
       SELECT ?1, ?1 || 'd' || i, 'conv_' || i, 1, 9e15 FROM n`,
    );
  };
  const callers = { all: service.callerOf(own.secret), bot: service.callerOf(bot.secret) };
  return { fill, rows, callers, organizationId };
}

test("index status counts up to a maximum number of rows, reports if it is incomplete, and reads no more rows beyond", async () => {
  const { fill, rows, callers, organizationId } = await openCounted();
  const read = async (of: keyof typeof callers) => {
    rows.reset();
    const status = await callers[of].call(contracts.getIndexStatus);
    return { status, rows: rows.most.rows };
  };
  expect((await read("all")).status).toMatchObject({ messages: 3, chunks: 1, pending: 0, complete: true });
  await fill(1, 5, "earlier");
  expect((await read("all")).status).toMatchObject({
    pending: 5,
    chunks: 1,
    chunks_of_other_models: 5,
    deletions_pending: 5,
    complete: true,
  });
  await fill(6, 100, "earlier", "bot");
  for (const of of ["all", "bot"] as const) {
    const { status } = await read(of);
    expect(status).toMatchObject({ pending: LIMIT, deletions_pending: LIMIT, complete: false });
    expect(status.chunks_of_other_models).toBeGreaterThanOrEqual(LIMIT - 1);
  }
  const before = { all: (await read("all")).rows, bot: (await read("bot")).rows };
  await fill(101, 400, "earlier", "bot");
  expect((await read("all")).rows).toBeLessThanOrEqual(before.all + 5);
  expect((await read("bot")).rows).toBeLessThanOrEqual(before.bot + 5);
  expect(Math.max(before.all, before.bot)).toBeLessThan(30 * LIMIT);
  // All of them in one conversation.
  await env.DB.prepare("UPDATE vector_deletions SET conversation_id = 'conv_6' WHERE organization_id = ?1")
    .bind(organizationId)
    .run();
  expect((await read("bot")).status).toMatchObject({ deletions_pending: LIMIT, complete: false });
});

test("a search counts pending messages up to a maximum number of jobs, and reads no more rows beyond", async () => {
  const { fill, rows, organizationId } = await openCounted();
  const read = async (agentId: string | null) => {
    rows.reset();
    const now = { model: env.EMBEDDING_MODEL, nowMs: Date.now(), rows: LIMIT };
    const { pending, otherModels } = await run(
      rows.db,
      searchState({ organizationId, agentId, userId: null }, now),
    );
    return { pending, otherModels, rows: rows.total };
  };
  await fill(1, 5, "earlier");
  expect(await read(null)).toMatchObject({ pending: 5, otherModels: true });
  // None of these belongs to the agent.
  expect(await read("bot")).toMatchObject({ pending: 0, otherModels: false });
  await fill(6, 100, "earlier");
  const many = { all: await read(null), bot: await read("bot") };
  expect(many.all.pending).toBe(LIMIT);
  expect(many.bot.otherModels).toBe(true);
  await fill(101, 400, "earlier");
  expect((await read(null)).rows).toBeLessThanOrEqual(many.all.rows + 5);
  expect((await read("bot")).rows).toBeLessThanOrEqual(many.bot.rows + 5);
});
