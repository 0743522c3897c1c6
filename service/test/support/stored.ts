import { expect } from "vitest";
import { env } from "./env.ts";
import { selectPostings, selectRow, selectRows } from "./invocations.ts";
import type { Ids } from "./requests.ts";

/** Messages of each conversation, except the first one. */
const SHORT_MESSAGES = 2;

/** Number of messages of the first conversation and of versions of the first memory, per item of the organization. */
const LONG_TIMES = 2;
/** Versions of each memory before the current one, except the first memory. */
const VERSIONS = 2;
/** Time that a memory keeps its versions in all. */
const CHANGING_MS = 1_600_000;
/** When every other memory is due, so that a sweep finds some that no request has enriched. */
const LATER_MS = 60_000;
/** Jobs of the first conversation. A write widens the newest of this number, whatever the size of the conversation. */
const CONVERSATION_JOBS = 20;
/** Jobs of the backfill. Its steps limit them, whatever the size of the organization. */
const BACKFILL_JOBS = 20;

const NUMBERS =
  "WITH RECURSIVE own (id, now_ms) AS (SELECT ?1, ?3), n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?2)";
/** Number of a deleted conversation. */
const HIDDEN = "i + 1000000";
const FIELDS = {
  agent: "'agent_' || (i % 2)",
  user: "'user_' || (i % 2)",
  tags: `CASE i % 2 WHEN 0 THEN '["red"]' ELSE '["blue","red"]' END`,
  metadata: `json_object('project', 'p' || (i % 2))`,
};

/** Ids of the rows with number `i` that `store` wrote into the organization with number `organization`. */
export function storedIds(organization: { id: string; number: number }, i: number): Ids {
  const tail = `${String(organization.number).padStart(10, "0")}${String(i).padStart(10, "0")}`;
  return {
    organization_id: organization.id,
    key_id: `key_${tail}`,
    conversation_id: `conv_${tail}`,
    // The message of a memory has the memory's own number.
    message_id: `msg_1${tail.slice(1)}`,
    memory_id: `mem_${tail}`,
    operation_id: `op_${tail}`,
    tombstone_id: `tomb_${tail}`,
    hold_id: `hold_${tail}`,
    rule_id: `ret_${tail}`,
    archive_id: `arc_${tail}`,
    // Not expired: the id begins with a time that is far in the future.
    recall_id: `rcl_z${tail.slice(1)}`,
    evaluation_id: `eval_${tail}`,
    member_id: `member_${tail}`,
    grant_id: `grant_${tail}`,
    webhook_id: `wh_${tail}`,
    delivery_id: `evt_${organization.id.replace("org_", "")}_${1 + i}`,
    entity_id: `ent_${organization.number}x${i % 2}`,
    request_id: `req_${tail}`,
  };
}

/**
 * Write rows into every table that grows, without the cost of requests: conversations, memories, messages and words,
 * chunks, everything that waits for a sweep, and logs.
 *
 * @param size rows of each kind; the first conversation and the first deleted one have twice as many messages.
 * @param nowMs everything that waits is due at this time, except every other memory to enrich.
 */
export async function store(
  organizationId: string,
  size: number,
  nowMs: number,
): Promise<{ number: number }> {
  const { number } = await selectRow<{ number: number }>(
    "SELECT number FROM organizations WHERE id = ?1",
    organizationId,
  );
  const id = (prefix: string, i = "i") => `printf('${prefix}_%010d%010d', ${number}, ${i})`;
  const mark = `'${number}~'`;
  const memoryMark = `'${number}m~'`;
  const each = (sql: string, count = size) =>
    env.DB.prepare(`${NUMBERS} ${sql}`).bind(organizationId, count, nowMs).run();
  const all = (sql: string) => env.DB.prepare(sql).bind(organizationId).run();
  const conversation = (columns: string, rows: string) =>
    each(
      `INSERT INTO conversations (organization_id, id, ${columns}, created_at_ms, updated_at_ms, last_message_at_ms)
       SELECT ?1, ${rows}, ?3 - i, ?3 - i, ?3 - i FROM n`,
    );

  await conversation(
    "agent_id, user_id, tags, metadata, external_id, title, message_count, term_count, last_sequence",
    `${id("conv")}, ${FIELDS.agent}, ${FIELDS.user}, ${FIELDS.tags}, ${FIELDS.metadata}, 'ext_' || i, 'The walrus', 2, 6, 2`,
  );
  await conversation(
    `kind, source, content_hash, agent_id, tags, metadata, message_count, term_count, last_sequence, version, changed_at_ms,
     source_bytes`,
    `${id("mem")}, 'note', 'source_' || (i % 2), 'hash ' || i, ${FIELDS.agent}, ${FIELDS.tags}, ${FIELDS.metadata}, 1, 3, 1,
     CASE i WHEN 1 THEN ${LONG_TIMES * size} ELSE ${VERSIONS} END + 1, ?3, 300`,
  );
  await conversation(
    "deleted_at_ms, operation_id, message_count, last_sequence",
    `${id("conv", HIDDEN)}, ?3 + i, ${id("op")}, 1, 1`,
  );
  const message = `INSERT INTO messages (row_key, organization_id, conversation_id, id, sequence, role, content, content_bytes,
      term_count, model_tokens, external_id, created_at_ms, stored_at_ms)`;
  await each(
    `${message} SELECT (c.row_key << 24) + s.value, ?1, c.id,
       CASE WHEN s.value > 1 THEN 'msg_' || c.row_key || 'x' || s.value
            WHEN c.kind = 'conversation' THEN 'msg_1' || substr(c.id, 7) ELSE 'msg_' || substr(c.id, 5) END,
       s.value, CASE s.value % 2 WHEN 0 THEN 'assistant' ELSE 'user' END, 'the walrus sang', 15, 3, 4, 'x' || s.value, ?3, ?3
      FROM conversations AS c, json_each(CASE WHEN c.kind = 'conversation' AND c.deleted_at_ms IS NULL
        THEN '[1,2]' ELSE '[1]' END) AS s
     WHERE c.organization_id = ?1`,
  );
  // Each memory cites both messages of the conversation with its number.
  await each(
    `INSERT INTO memory_sources (organization_id, memory_id, ordinal, conversation_id, message_id, sequence, quote,
       text_start, text_end)
     SELECT ?1, ${id("mem")}, m.sequence - 1, m.conversation_id, m.id, m.sequence, 'walrus', 4, 10
       FROM n JOIN messages AS m ON m.organization_id = ?1 AND m.conversation_id = ${id("conv")}`,
  );
  /** Versions of memories, evenly distributed over `CHANGING_MS`. Every other one has its own content. */
  const versions = (memory: string, version: string, count: number, from: string, rows: number) =>
    each(
      `INSERT INTO memory_versions (organization_id, memory_id, version, kind, tags, metadata, content_hash, created_at_ms,
         authored, content, content_bytes, stored_at_ms, replaced_at_ms)
       SELECT ?1, ${id("mem", memory)}, ${version}, 'note', '["blue"]', '{"project":"p1"}', 'hash ' || ${version}, ?3, 0,
              CASE ${version} % 2 WHEN 1 THEN 'the walrus slept' END, 16,
              ?3 - ${CHANGING_MS / count} * (${count} + 1 - ${version}), ?3 - ${CHANGING_MS / count} * (${count} - ${version})
         FROM ${from}`,
      rows,
    );
  await versions("1", "i", LONG_TIMES * size, "n", LONG_TIMES * size);
  await versions("i", "v.value", VERSIONS, "n, json_each('[1,2]') AS v WHERE i > 1", size);
  const long = `c.organization_id = ?1 AND c.id IN (${id("conv", "1")}, ${id("conv", "1000001")})`;
  await each(
    `${message} SELECT (c.row_key << 24) + i, ?1, c.id, 'msg_' || c.row_key || 'x' || i, i, 'user', 'the walrus sang',
            15, 3, 4, 'x' || i, ?3, ?3
       FROM n, conversations AS c WHERE ${long} AND i > ${SHORT_MESSAGES}`,
    LONG_TIMES * size,
  );
  await each(
    `UPDATE conversations AS c SET message_count = ?2, last_sequence = ?2, term_count = 3 * ?2 WHERE ${long}`,
    LONG_TIMES * size,
  );
  await all(
    `INSERT INTO message_words (rowid, body)
     SELECT m.row_key, replace('#walrus #sang #word' || m.sequence, '#',
                              CASE c.kind WHEN 'conversation' THEN ${mark} ELSE ${memoryMark} END)
       FROM messages AS m JOIN conversations AS c ON c.organization_id = ?1 AND c.id = m.conversation_id
      WHERE m.organization_id = ?1`,
  );
  await all(
    `UPDATE organization_counters SET
       conversation_count = (SELECT count(*) FROM conversations WHERE organization_id = ?1 AND kind = 'conversation' AND deleted_at_ms IS NULL),
       memory_count = (SELECT count(*) FROM conversations WHERE organization_id = ?1 AND kind <> 'conversation'),
       message_count = (SELECT count(*) FROM messages WHERE organization_id = ?1),
       term_count = (SELECT sum(term_count) FROM messages WHERE organization_id = ?1)
     WHERE organization_id = ?1`,
  );
  // Two entities that many messages mention, and one of each conversation.
  await all(
    `INSERT INTO message_entities (row_key, organization_id, rules, mentions)
     SELECT m.row_key, ?1, 1, json_array(
              json_object('entity_id', 'ent_${number}x' || (m.sequence % 2), 'kind', 'url', 'folded', 'x' || (m.sequence % 2),
                          'value', 'X', 'start', 0, 'end', 1),
              json_object('entity_id', 'ent_${number}c' || c.row_key, 'kind', 'file', 'folded', 'f' || c.row_key,
                          'value', 'F', 'start', 1, 'end', 2))
       FROM messages AS m JOIN conversations AS c ON c.organization_id = ?1 AND c.id = m.conversation_id
      WHERE m.organization_id = ?1 AND c.kind = 'conversation'`,
  );
  await all(
    `INSERT INTO entity_messages (organization_id, conversation_row_key, kind, folded, sequence, value, mention_count, said_at_ms)
     SELECT ?1, m.row_key >> 24, e.value ->> 'kind', e.value ->> 'folded', m.row_key & 16777215, 'X', 1, m.row_key
       FROM message_entities AS m, json_each(m.mentions) AS e WHERE m.organization_id = ?1`,
  );
  await all(
    `INSERT OR IGNORE INTO entity_conversations (organization_id, scope, kind, folded, conversation_row_key, entity_id)
     SELECT ?1, scope.value, e.value ->> 'kind', e.value ->> 'folded', c.row_key, e.value ->> 'entity_id'
       FROM message_entities AS m JOIN conversations AS c ON c.row_key = m.row_key >> 24, json_each(m.mentions) AS e,
            json_each(json_array('[null,null]', json_array(c.agent_id, NULL), json_array(NULL, c.user_id),
                                 json_array(c.agent_id, c.user_id))) AS scope
      WHERE m.organization_id = ?1`,
  );
  const chunk = (prefix: string, model: string, chunkId: string) =>
    each(
      `INSERT INTO conversation_chunks (organization_id, id, conversation_id, vector_id, window_start, start_sequence,
         end_sequence, model, text_hash, indexed_at_ms)
       SELECT ?1, '${chunkId}' || i, ${id(prefix)}, '${chunkId}v' || i, 1, 1, 1, ${model}, 'hash', ?3 FROM n`,
    );
  await chunk("conv", "'other model'", "chk_a");
  await chunk("mem", `'${env.EMBEDDING_MODEL}'`, "chk_b");
  // The first conversation has chunks in proportion to its messages.
  await each(
    `INSERT INTO conversation_chunks (organization_id, id, conversation_id, vector_id, window_start, start_sequence,
       end_sequence, model, text_hash, indexed_at_ms)
     SELECT ?1, 'chk_c' || i, ${id("conv", "1")}, 'chk_cv' || i, i, i, i, '${env.EMBEDDING_MODEL}', 'hash', ?3 FROM n`,
  );
  const job = (attempts: string, rows: string) =>
    // A given-up job is never due.
    each(
      `INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, attempts, due_at_ms, operation_id)
       SELECT ?1, ${rows}, 1, 1, ${attempts},
              CASE ${attempts} WHEN 10 THEN ${Number.MAX_SAFE_INTEGER} ELSE ?3 - i END, ${id("op")} FROM n`,
    );
  await job("0", id("conv", "1 + i"));
  await job("0", id("mem"));
  await job("10", id("conv", "1 + i"));
  await each(
    `INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, due_at_ms)
     SELECT ?1, ${id("conv", "1")}, 1, 1, ?3 - i FROM n`,
    Math.min(size, CONVERSATION_JOBS),
  );
  await each(
    `INSERT INTO enrichment_jobs (organization_id, memory_id, operation_id, pass, due_at_ms)
     SELECT ?1, ${id("mem")}, CASE WHEN i <= ${BACKFILL_JOBS} THEN ${id("op", "4")} END,
            CASE WHEN i <= ${BACKFILL_JOBS} THEN 1 ELSE 2 END, ?3 - i + i % 2 * ${LATER_MS} FROM n`,
  );
  await each(
    `INSERT INTO vector_deletions (organization_id, vector_id, conversation_id, queued_at_ms, due_at_ms, operation_id)
     SELECT ?1, 'gone' || i, ${id("conv", "1 + i % 2 * i")}, ?3 - i, ?3 - i, ${id("op")} FROM n`,
  );
  // The operation of the jobs above, 4, is the backfill.
  await each(
    `INSERT INTO operations (organization_id, id, type, target_id, conversation_id, done, total, created_at_ms,
       rows_deleted_at_ms, vectors_deleted_at_ms, completed_at_ms, filter, agent_id)
     SELECT ?1, ${id("op")},
            CASE i % 5 WHEN 0 THEN 'delete_conversation' WHEN 1 THEN 'import' WHEN 2 THEN 'repair_index'
                       WHEN 3 THEN 'import' ELSE 'enrich_memories' END,
            CASE i % 5 WHEN 2 THEN ${id("conv", "1 + i")} WHEN 4 THEN ?1 ELSE ${id("conv", "1 + i")} END,
            CASE WHEN i % 5 = 0 THEN ${id("conv", "1 + i")} END,
            0, CASE WHEN i % 5 > 0 THEN ?2 END, ?3 - i, NULL, NULL, CASE WHEN i % 20 > 14 THEN ?3 END, NULL,
            'agent_' || (i % 2) FROM n`,
  );
  await env.DB.prepare("UPDATE organizations SET tombstone_key = 'ab' WHERE id = ?1")
    .bind(organizationId)
    .run();
  // Half of them are lifted.
  await each(
    `INSERT INTO tombstones (organization_id, id, kind, operation_id, created_at_ms, lifted_at_ms)
     SELECT ?1, ${id("tomb")}, 'conversation', ${id("op")}, ?3 - i, CASE i % 2 WHEN 1 THEN NULL ELSE ?3 - i END FROM n`,
  );
  await each(
    `INSERT INTO tombstone_hashes (organization_id, hash, tombstone_id)
     SELECT ?1, 'hash ' || i || ' ' || h.value, ${id("tomb")} FROM n, json_each('[1,2,3]') AS h`,
  );
  // Few are active. None holds anything.
  await each(
    `INSERT INTO holds (organization_id, id, reason, created_at_ms, created_by, lifted_at_ms, has_ids, user_id)
     SELECT ?1, ${id("hold")}, 'Case', ?3 - i, ${id("key")}, CASE WHEN i > 2 THEN ?3 - i END, i % 2, 'nobody' FROM n`,
  );
  await each(
    `INSERT INTO hold_items (organization_id, hold_id, item_id)
     SELECT ?1, ${id("hold")}, 'conv_none_' || i FROM n WHERE i % 2 = 1`,
  );
  // Each has a message of the first conversation, and half of them expired long ago.
  const recall = (recallId: string) =>
    each(
      `INSERT INTO recalls (organization_id, id, operation, key_id, of_user_id, answer, versions, request, metadata)
       SELECT ?1, ${recallId}, 'search', ${id("key")}, 'user_' || (i % 2),
              json_object('groups', json_array(json_object('part', 'results', 'conversation', ${id("conv", "1")},
                            'relevance', 0.5, 'items', json_array(json_array(${id("msg", "1")}, '${"h".repeat(22)}', 1, 1)))),
                          'layout', json('[]'), 'tokens', 4, 'degraded', json('[]'), 'pending', 0, 'rules', 1,
                          'models', json_object('embedding', '${env.EMBEDDING_MODEL}', 'reranking', NULL)),
              '{}', '{"query":"walrus","mode":"keyword"}', '{}' FROM n`,
    );
  await recall(`'rcl_z' || substr(${id("x")}, 4)`);
  await recall(id("rcl"));
  // Half of them are written, some of them have expired, and the objects of every tenth are to be removed.
  await each(
    `INSERT INTO archives (organization_id, id, operation_id, position, part_count, created_at_ms, completed_at_ms,
       expires_at_ms, deleted_at_ms)
     SELECT ?1, ${id("arc")}, ${id("op")}, CASE i % 2 WHEN 0 THEN '{"id":"","sequence":0}' END, 1, ?3 - i,
            CASE i % 2 WHEN 1 THEN ?3 END, CASE i % 3 WHEN 0 THEN ?3 - i END, CASE i % 10 WHEN 0 THEN ?3 END FROM n`,
  );
  await each(
    `INSERT INTO archive_parts (organization_id, archive_id, number, lines, bytes, stored_bytes, sha256)
     SELECT ?1, ${id("arc")}, 1, 1, 1, 1, 'ab' FROM n`,
  );
  await each(
    `INSERT OR IGNORE INTO archive_schedules (organization_id, every_days, keep_days, next_at_ms) SELECT ?1, 1, 1, ?3 FROM n`,
  );
  await each(
    `INSERT INTO context_heads
            (organization_id, id, request_hash, conversation_id, user_id, blocks, expires_at_ms)
     SELECT ?1, ${id("ctx")}, 'hash', ${id("conv")}, CASE i % 2 WHEN 0 THEN '' ELSE 'user_1' END,
            json_array(json_object('memories', json_array(${id("mem")}))), ?3 - i FROM n`,
  );
  await each(
    `INSERT INTO evaluations (organization_id, id, operation, request, expected, depth)
     SELECT ?1, ${id("eval")}, 'search', '{"query":"walrus","mode":"keyword"}', json_array(${id("msg", "1")}), 10 FROM n
      WHERE i <= 100`,
  );
  await each(
    `INSERT INTO idempotency_keys
            (expires_day, organization_id, key_id, operation, idempotency_key, request_hash, expires_at_ms)
     SELECT CAST((?3 - i) / 86400000 AS INTEGER), ?1, ${id("key")}, 'appendMessages', 'k' || i, 'hash', ?3 - i FROM n`,
  );
  await each(
    `INSERT INTO api_keys (organization_id, id, name, prefix, secret_hash, scopes, created_at_ms)
     SELECT ?1, ${id("key")}, 'stored', 'engram_x', 'hash ' || ?1 || i, '["read"]', ?3 - i FROM n`,
  );
  await each(
    `INSERT INTO api_keys (organization_id, id, name, prefix, secret_hash, scopes, role, email, created_at_ms)
     SELECT ?1, ${id("member")}, 'stored', '', 'member ' || ?1 || i, '["read","search"]', 'reader',
            'm' || i || '@example.com', ?3 - i FROM n`,
  );
  // Half of them have expired.
  await each(
    `INSERT INTO grants
            (organization_id, id, key_id, client_id, client_name, redirect_uri, scopes, created_at_ms, expires_at_ms)
     SELECT ?1, ${id("grant")}, ${id("key")}, 'client', 'Client', 'https://client.example.com/', '["read"]', ?3 - i,
            ?3 + (i % 2) * 1000000 - i FROM n`,
  );
  await each(
    `INSERT INTO oauth_records (key, organization_id, grant_id, value, version, expires_at_ms)
     SELECT 'grant:' || ?1 || '.' || ${id("grant")} || ':x', ?1, ${id("grant")}, '{}', 0, ?3 + (i % 2) * 1000000 - i FROM n`,
  );
  await each(
    `INSERT INTO oauth_records (key, value, version, expires_at_ms)
     SELECT 'client:' || ?1 || i, '{}', 0, ?3 + (i % 2) * 1000000 - i FROM n`,
  );
  // None is due.
  await each(
    `INSERT INTO retention_rules (organization_id, id, name, kind, older_than_days, by_time, filter, dry_run,
       created_at_ms, updated_at_ms, next_run_at_ms)
     SELECT ?1, ${id("ret")}, 'stored', 'usage', 36000, 'created_at', '{}', 0, ?3, ?3, ?3 + 1000000000 FROM n WHERE i < 50`,
  );
  await each(
    `INSERT INTO webhooks (organization_id, id, url, enabled, secret, position, created_at_ms, updated_at_ms)
     SELECT ?1, ${id("wh")}, 'https://hooks.example.com/', 0, '', i, ?3, ?3 FROM n WHERE i < 20`,
  );
  await each(
    `INSERT INTO webhook_deliveries (organization_id, webhook_id, sequence)
     SELECT ?1, ${id("wh", "1")}, 1 + i FROM n WHERE i <= 20`,
  );
  // The next event of each other webhook failed.
  await each(
    `INSERT INTO webhook_deliveries (organization_id, webhook_id, sequence)
     SELECT ?1, ${id("wh")}, 1 + i FROM n WHERE i > 1 AND i < 20`,
  );
  await each(
    `INSERT INTO audit_events (organization_id, id, action, target_id, created_at_ms)
     SELECT ?1, ${id("aud")}, CASE i % 2 WHEN 0 THEN 'key.created' ELSE 'key.revoked' END, 'x', ?3 - i FROM n`,
  );
  await each(
    `INSERT INTO events (organization_id, sequence, type, subject_id, first_sequence, last_sequence, created_at_ms)
     SELECT ?1, 1 + i, CASE i % 3 WHEN 0 THEN 'messages.appended' WHEN 1 THEN 'memory.updated' ELSE 'operation.updated' END,
            CASE i % 3 WHEN 0 THEN ${id("conv")} WHEN 1 THEN ${id("mem")} ELSE ${id("op")} END, 1, 2, ?3 - i FROM n`,
  );
  await each(
    `INSERT INTO usage (organization_id, day, key_id, requests, messages, message_bytes, searches, embeddings)
     SELECT ?1, date(?3 / 1000 - 86400 * (i / 20), 'unixepoch'), ${id("key", "i % 20")}, 1, 1, 1, 1, 1 FROM n`,
  );
  return { number };
}

/** All rows of an organization in any table, its words, and what no request may change. */
export async function contentsOf(organizationId: string): Promise<unknown> {
  const tables = await selectRows<{ name: string }>(
    // Usage is written whenever the next request comes.
    `SELECT name FROM sqlite_master
      WHERE type = 'table' AND sql LIKE '%organization_id TEXT%' AND name <> 'usage' ORDER BY name`,
  );
  expect(tables.length).toBeGreaterThan(9);
  const rows = tables.map(async ({ name }) => {
    const stored = await selectRows(`SELECT * FROM ${name} WHERE organization_id = ?1`, organizationId);
    return stored.map((row) => JSON.stringify(row)).sort();
  });
  return Promise.all([
    ...rows,
    selectPostings(organizationId),
    selectRows("SELECT type, name, sql FROM sqlite_master ORDER BY name"),
    selectRows("SELECT name FROM d1_migrations ORDER BY name"),
    selectRows("SELECT unauthenticated FROM assertions"),
  ]);
}
