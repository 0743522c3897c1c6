import { toIndexedTerms, toTermPrefix } from "../../../../service/src/text/index-terms.ts";
import { runAtOnce } from "../../../../service/src/text/pace.ts";
import { segmentsOf } from "../../../../service/src/text/segments.ts";
import { createStemmer } from "../../../../service/src/text/stems.ts";
import type { Model } from "../model/model.ts";
import { isOrganizationGone, mayShow, mayShowMemory, mayShowMessage } from "../model/presence.ts";
import type { Span } from "../model/write.ts";
import type { Database } from "../ports/database.ts";
import { expect } from "../violation.ts";
import type { World } from "../world.ts";
import { checkDescribed } from "./described.ts";
import { checkEntities } from "./entities.ts";
import { movedEver } from "./moves.ts";
import { type StoredMessage, textOf } from "./texts.ts";
import { conversationOf, hashOf, userOf } from "./vectors.ts";

const stem = createStemmer();

interface StoredChunk {
  organization_id: string;
  conversation_id: string;
  vector_id: string;
  window_start: number;
  start_sequence: number;
  end_sequence: number;
  indexed_at_ms: number | null;
  user_id: string | null;
  shared: 0 | 1;
}

/** Windows of messages, as documented in the service's README. */
const WINDOW_MESSAGES = 5;
const WINDOW_STRIDE = 3;

/** Check the final state, when no work is left. @throws {Violation} */
export function checkHealed(world: World, model: Model): void {
  const messages = world.databases.flatMap((database) => checkDatabase(database, world, model));
  checkGone(world, model);
  checkVectors(world, model, messages);
}

/** Checks one of the databases. @returns Its messages. */
function checkDatabase(database: Database, world: World, model: Model): StoredMessage[] {
  const span = { begin: world.clock.step, end: world.clock.step };
  const check = database.select<{ integrity_check: string }>("PRAGMA integrity_check");
  expect(check[0]?.integrity_check === "ok", "integrity", () => JSON.stringify(check));
  const messages = database.select<StoredMessage>(
    `SELECT m.organization_id, o.number AS organization_number, m.conversation_id, c.kind, m.row_key, m.name_terms, m.id, m.sequence, m.role, m.name, m.content, m.created_at_ms, c.agent_id, iif(c.shared, '', c.user_id) AS user_id,
            m.content_encoding, coalesce(m.metadata ->> 'marker', c.metadata ->> 'marker') AS marker
       FROM messages AS m JOIN conversations AS c ON c.row_key = m.row_key >> 24
       JOIN organizations AS o ON o.id = m.organization_id ORDER BY m.row_key`,
  );
  for (const message of messages) {
    const { isKept, organization } = sentAs(message, model, span);
    expect(organization === message.organization_id, "isolation", () => `${message.id} was never sent`);
    expect(isKept, "deleted", () => `${message.id} is still stored`);
  }
  checkWords(database, messages);
  checkEntities(database, messages);
  // The enrichment jobs of a copy have ended in the database before.
  database.without(movedEver(model), () => checkDescribed(database, world.textModel));
  checkSummaries(database);
  return messages;
}

/** Every full segment has its summary. @throws {Violation} */
function checkSummaries(database: Database): void {
  const conversations = database.select<{ row_key: number; id: string; last_sequence: number }>(
    "SELECT row_key, id, last_sequence FROM conversations WHERE kind = 'conversation' AND deleted_at_ms IS NULL",
  );
  for (const { row_key, id, last_sequence } of conversations) {
    const messages = database.select<{ sequence: number; tokens: number }>(
      "SELECT sequence, model_tokens AS tokens FROM messages WHERE row_key >> 24 = ?1 ORDER BY sequence",
      row_key,
    );
    const summaries = database.select<{ from_sequence: number; to_sequence: number; is_full: number }>(
      "SELECT from_sequence, to_sequence, is_full FROM summaries WHERE conversation_id = ?1 AND level = 1",
      id,
    );
    for (const { items, isFull } of segmentsOf(messages, last_sequence)) {
      const [from, to] = [items[0]?.sequence, items.at(-1)?.sequence];
      const isMade = summaries.some(
        (one) => one.from_sequence === from && one.to_sequence === to && one.is_full === 1,
      );
      expect(!isFull || isMade, "summaries", () => `${id} has no summary of ${from} to ${to}`);
    }
  }
}

/** The organization of a stored message or memory, and whether it may exist. */
function sentAs({ conversation_id, kind, marker }: StoredMessage, model: Model, span: Span) {
  if (kind === "conversation") {
    const message = model.messageIn(conversation_id, marker ?? undefined);
    return {
      organization: message?.conversation.organization.id,
      isKept: message !== undefined && mayShowMessage(message, span),
    };
  }
  const memory = model.memories.get(marker ?? 0);
  return {
    organization: memory?.organization.id,
    isKept: memory !== undefined && mayShowMemory(memory, span),
  };
}

/** Checks that no table contains deleted data. */
function checkGone({ clock, databases }: World, model: Model): void {
  const span = { begin: clock.step, end: clock.step };
  const tables = {
    conversations: "id",
    messages: "conversation_id",
    conversation_chunks: "conversation_id",
    index_jobs: "conversation_id",
    vector_deletions: "conversation_id",
    enrichment_jobs: "memory_id",
  };
  // The id is unknown (null) if the creation got no response.
  const gone = new Set([
    ...[...model.conversations.values()].filter((one) => !mayShow(one, span)).map(({ id }) => id),
    ...[...model.memories.values()].filter((one) => !mayShowMemory(one, span)).map(({ id }) => id),
  ]);
  for (const [table, column] of Object.entries(tables)) {
    const sql = `SELECT DISTINCT ${column} AS id FROM ${table}`;
    for (const { id } of databases.flatMap((database) => database.select<{ id: string }>(sql))) {
      expect(!gone.has(id), "deleted", () => `${table} has ${id}`);
    }
  }
  for (const organization of model.organizations) {
    if (!isOrganizationGone(organization, span)) continue;
    const { id } = organization;
    for (const table of [
      ...Object.keys(tables),
      ...["message_entities", "entity_messages", "entity_conversations"],
      "organization_counters",
      "api_keys",
      "audit_events",
      "events",
      "usage",
      "idempotency_keys",
      ...["tombstones", "tombstone_hashes"],
    ]) {
      // The records of the deletion, of the holds that it lifted, and of its cancellation stay.
      const besides =
        table === "audit_events"
          ? `AND action NOT IN ('organization.deleted', 'organization.restored')
             AND NOT (action = 'hold.lifted' AND operation_id IS NOT NULL)`
          : "";
      const sql = `SELECT 1 FROM ${table} WHERE organization_id = ?1 ${besides} LIMIT 1`;
      // Idempotency keys that an organization had in D1 before it moved to a cell expire there.
      const mayBeLeft =
        table === "idempotency_keys" && organization.hasMoved && organization.place === "cell";
      const left = (mayBeLeft ? databases.slice(1) : databases).flatMap((database) =>
        database.select(sql, id),
      );
      expect(left.length === 0, "deleted", () => `${table} has rows of ${id}`);
    }
  }
}

/** Checks that the keyword index contains exactly the terms of the stored messages. */
function checkWords(database: Database, messages: StoredMessage[]): void {
  const terms = new Map(
    database
      .select<{ doc: number; terms: string }>(
        "SELECT doc, json_group_array(DISTINCT term) AS terms FROM message_postings GROUP BY doc",
      )
      .map(({ doc, terms }) => [doc, new Set(JSON.parse(terms) as string[])]),
  );
  for (const { id, kind, name_terms, row_key, organization_number, ...stored } of messages) {
    const mark = toTermPrefix(organization_number, kind === "conversation" ? "conversations" : "memories");
    const indexed = runAtOnce(toIndexedTerms(stem, mark, textOf(stored)));
    const words = new Set(`${indexed.terms} ${name_terms ?? ""}`.split(" "));
    const found = terms.get(row_key) ?? new Set<string>();
    // The separator between words and names, and the empty string, are not terms.
    for (const none of ["", "~"]) for (const set of [words, found]) set.delete(none);
    expect(
      words.size === found.size && [...words].every((word) => found.has(word)),
      "words",
      () => `${id} is found by ${[...found].slice(0, 9)} instead of ${[...words].slice(0, 9)}`,
    );
    checkPieces(database, { id, row_key, phrases: indexed.phrases });
  }
  const [piece] = database.select<{ row_key: number }>(
    "SELECT rowid >> 9 AS row_key FROM message_phrases WHERE rowid >> 9 NOT IN (SELECT row_key FROM messages) LIMIT 1",
  );
  expect(piece === undefined, "words", () => `message ${piece?.row_key} is gone, and its pieces are not`);
  const [stray] = database.select<{ doc: number }>(
    "SELECT doc FROM message_postings WHERE doc NOT IN (SELECT row_key FROM messages) LIMIT 1",
  );
  expect(stray === undefined, "words", () => `message ${stray?.doc} is gone, and its words are not`);
  const [late] = database.select<{ row_key: number }>("SELECT row_key FROM late_words LIMIT 1");
  expect(late === undefined, "words", () => `the words of message ${late?.row_key} are still late`);
  const [bare] = database.select<{ id: string }>(
    `SELECT id FROM messages
      WHERE term_count > 0 AND row_key NOT IN (SELECT doc FROM message_postings) LIMIT 1`,
  );
  expect(bare === undefined, "words", () => `${bare?.id} has no words, of ${messages.length} messages`);
}

/** Checks the phrase index: the number of a message's pieces, and the order of each piece's first words. */
function checkPieces(
  database: Database,
  { id, row_key, phrases }: { id: string; row_key: number; phrases: string[] },
): void {
  const rows = database.select<{ place: number }>(
    "SELECT rowid & 511 AS place FROM message_phrases WHERE rowid BETWEEN CAST(?1 AS INTEGER) << 9 AND (CAST(?1 AS INTEGER) << 9) + 511",
    row_key,
  );
  expect(
    rows.length === phrases.length,
    "words",
    () => `${id} has ${rows.length} of ${phrases.length} pieces`,
  );
  for (const [place, piece] of phrases.entries()) {
    const begin = piece.split(" ").slice(0, 32).join(" ");
    const [found] = database.select<{ place: number }>(
      `SELECT rowid & 511 AS place FROM message_phrases
        WHERE message_phrases MATCH ?1 AND rowid >> 9 = CAST(?2 AS INTEGER) AND rowid & 511 = ?3`,
      `"${begin}"`,
      row_key,
      place,
    );
    expect(found !== undefined, "words", () => `piece ${place} of ${id} says something else`);
  }
}

/** Checks that every window has vectors of its current text, and that no other vectors exist. */
function checkVectors(world: World, model: Model, messages: StoredMessage[]): void {
  const { databases, texts } = world;
  const stored = world.storedVectors();
  const vectors = new Map(model.organizations.flatMap(({ id }) => [...world.searchedVectors(id)]));
  const chunks = databases.flatMap((database) =>
    database.select<StoredChunk>(
      `SELECT k.organization_id, conversation_id, vector_id, window_start, start_sequence, end_sequence, indexed_at_ms,
              c.user_id, c.shared
         FROM conversation_chunks AS k
         JOIN conversations AS c ON c.organization_id = k.organization_id AND c.id = k.conversation_id`,
    ),
  );
  for (const chunk of chunks) {
    const vector = vectors.get(chunk.vector_id);
    expect(chunk.indexed_at_ms !== null, "vectors", () => `${chunk.vector_id} is not indexed`);
    expect(vector !== undefined, "vectors", () => `${chunk.vector_id} is not in the store`);
    expect(
      vector.namespace === chunk.organization_id && conversationOf(vector) === hashOf(chunk.conversation_id),
      "isolation",
      () => `${chunk.vector_id} belongs to another`,
    );
    const user = chunk.user_id === null ? "" : hashOf(chunk.user_id);
    expect(
      userOf(vector) === (chunk.shared === 1 ? "shared" : user),
      "vectors",
      () => `${chunk.vector_id} is found with the user ${userOf(vector)}`,
    );
  }
  const known = new Set(chunks.map(({ vector_id }) => vector_id));
  for (const { id, values } of stored) {
    expect(known.has(id), "vectors", () => `${id} has no chunk`);
    const text = texts.textOf(vectors.get(id)?.values ?? values);
    expect(texts.textOf(values) === text, "vectors", () => `${id} is stored twice, of two texts`);
  }
  const byWindow = Map.groupBy(chunks, (chunk) => `${chunk.conversation_id} ${chunk.window_start}`);
  for (const [conversationId, ofOne] of Map.groupBy(messages, ({ conversation_id }) => conversation_id)) {
    const last = ofOne.at(-1)?.sequence ?? 0;
    for (let start = 1; start <= last; start += WINDOW_STRIDE) {
      const inside = ofOne.filter(({ sequence }) => sequence >= start && sequence < start + WINDOW_MESSAGES);
      const adds =
        start === 1 || inside.some(({ sequence }) => sequence >= start + WINDOW_MESSAGES - WINDOW_STRIDE);
      const parts = byWindow.get(`${conversationId} ${start}`) ?? [];
      byWindow.delete(`${conversationId} ${start}`);
      if (!adds || inside.length === 0) {
        expect(parts.length === 0, "vectors", () => `window ${start} of ${conversationId} should have none`);
        continue;
      }
      for (const { id, sequence } of inside) {
        const isCovered = parts.some(
          (part) => part.start_sequence <= sequence && sequence <= part.end_sequence,
        );
        expect(isCovered, "vectors", () => `${id} is in no vector of window ${start}`);
      }
      const textsOfParts = parts.map(({ vector_id }) =>
        texts.textOf(vectors.get(vector_id)?.values ?? new Float32Array()),
      );
      const [first] = inside;
      if (first !== undefined && first.kind !== "conversation") {
        expect(
          isWhole(textOf(first), textsOfParts),
          "vectors",
          () => `the vectors of ${conversationId} say something else`,
        );
        continue;
      }
      const [only] = parts;
      if (parts.length !== 1 || only === undefined) continue;
      const [text = ""] = textsOfParts;
      const labels = inside.map(({ name, role }) => `[${name ?? role}]: `);
      expect(
        inside.every((message, i) => text.includes(`${labels[i]}${textOf(message)}`)),
        "vectors",
        () => `${only.vector_id} says something else`,
      );
    }
  }
  const [extra] = byWindow.keys();
  expect(extra === undefined, "vectors", () => `window ${extra} holds no message`);
}

/** Whether the texts together cover the content; they may overlap. */
function isWhole(content: string, parts: string[]): boolean {
  const places = parts.map((part) => ({ start: content.indexOf(part), length: part.length }));
  let end = 0;
  for (const { start, length } of places.toSorted((a, b) => a.start - b.start)) {
    if (start < 0 || start > end) return false;
    end = Math.max(end, start + length);
  }
  return end === content.length;
}
