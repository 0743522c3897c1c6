import { createHmac } from "node:crypto";
import {
  conversationIdNames,
  conversationNames,
  memoryNames,
  messageIdNames,
  messageNames,
  type Name,
  userNames,
} from "../../../../service/src/tombstones/hashes.ts";
import type { Database } from "../ports/database.ts";
import { expect } from "../violation.ts";

/** A hash of a tombstone that holds, and what the ledgers had when it was stored. */
interface Held {
  organization_id: string;
  hash: string;
  place: number;
  ledger_place: number;
}

interface StoredItem {
  organization_id: string;
  id: string;
  agent_id: string | null;
  user_id: string | null;
  external_id: string | null;
  content_hash: string | null;
  is_deleted: 0 | 1;
  /** Whether it was deleted by an operation whose tombstone holds. */
  is_forgotten: 0 | 1;
  /** Number of hashes stored before the row, or its user, and before its content. */
  named_at: number;
  said_at: number;
}

interface StoredMessage {
  organization_id: string;
  conversation_id: string;
  id: string;
  sequence: number;
  external_id: string | null;
  place: number;
}

/**
 * Checks that no item was stored, or got a content or user, after a tombstone had refused it, and that each tombstone
 * refuses all that its deletion deleted. @throws {Violation}
 */
export function checkForgotten(database: Database): void {
  const held = database.select<Held>(
    `SELECT h.organization_id, h.hash, min(n.place) AS place, min(n.ledger_place) AS ledger_place
       FROM tombstone_hashes AS h
       JOIN tombstones AS t ON t.organization_id = h.organization_id AND t.id = h.tombstone_id AND t.lifted_at_ms IS NULL
       JOIN hashed AS n ON n.organization_id = h.organization_id AND n.hash = h.hash AND n.tombstone_id = h.tombstone_id
      GROUP BY 1, 2`,
  );
  if (held.length === 0) return;
  const hashes = new Map(held.map((one) => [`${one.organization_id} ${one.hash}`, one]));
  const keys = new Map(
    database
      .select<{ id: string; tombstone_key: string }>(
        "SELECT id, tombstone_key FROM organizations WHERE tombstone_key IS NOT NULL",
      )
      .map(({ id, tombstone_key }) => [id, Buffer.from(tombstone_key, "hex")]),
  );
  const holderOf = (organizationId: string, name: Name): Held | undefined => {
    const key = keys.get(organizationId);
    if (key === undefined) return undefined;
    return hashes.get(`${organizationId} ${createHmac("sha256", key).update(name).digest("hex")}`);
  };
  checkItems(database, holderOf);
  checkMessages(database, holderOf);
}

type HolderOf = (organizationId: string, name: Name) => Held | undefined;

function checkItems(database: Database, holderOf: HolderOf): void {
  const items = database.select<StoredItem>(
    `SELECT c.organization_id, c.id, c.agent_id, c.user_id, coalesce(c.external_id, c.memory_external_id) AS external_id,
            c.content_hash, c.deleted_at_ms IS NOT NULL AS is_deleted,
            EXISTS (SELECT 1 FROM tombstones AS t
                     WHERE t.organization_id = c.organization_id AND t.operation_id = c.operation_id
                       AND t.lifted_at_ms IS NULL) AS is_forgotten,
            n.named_at, n.said_at
       FROM conversations AS c JOIN named AS n ON n.row_key = c.row_key`,
  );
  for (const { content_hash, is_deleted, is_forgotten, named_at, said_at, ...item } of items) {
    const own =
      content_hash === null ? conversationNames(item) : memoryNames({ ...item, content_hash }).slice(0, -1);
    const said = content_hash === null ? [] : memoryNames({ ...item, content_hash }).slice(-1);
    const { organization_id, id } = item;
    if (is_deleted) {
      const missed = is_forgotten && [...own, ...said].find((name) => !holderOf(organization_id, name));
      expect(!missed, "forgotten", () => `the deletion of ${id} does not refuse ${missed}`);
      continue;
    }
    const refused =
      [...own, ...userNames(item)].find(
        (name) => (holderOf(organization_id, name)?.place ?? Infinity) <= named_at,
      ) ?? said.find((name) => (holderOf(organization_id, name)?.place ?? Infinity) <= said_at);
    expect(refused === undefined, "forgotten", () => `${id} is stored, and ${refused} was refused before`);
  }
}

function checkMessages(database: Database, holderOf: HolderOf): void {
  const messages = database.select<StoredMessage>(
    `SELECT m.organization_id, m.conversation_id, m.id, m.sequence, m.external_id,
            (SELECT max(l.place) FROM ledger AS l WHERE l.row_key = m.row_key AND l.change = 'insert') AS place
       FROM messages AS m JOIN conversations AS c ON c.row_key = m.row_key >> 24
      WHERE c.deleted_at_ms IS NULL AND c.kind = 'conversation'`,
  );
  for (const { organization_id, place, ...message } of messages) {
    const names = [...messageNames(message), ...conversationIdNames(message.conversation_id)];
    const refused = names.find((name) => (holderOf(organization_id, name)?.ledger_place ?? Infinity) < place);
    expect(
      refused === undefined,
      "forgotten",
      () => `${message.id} is stored, and ${refused} was refused before`,
    );
  }
  // Deleted after their conversation, so by the purge.
  const purged = database.select<{
    organization_id: string;
    conversation_id: string;
    id: string;
    place: number;
  }>(
    `SELECT organization_id, conversation_id, id, max(place) AS place FROM ledger
      WHERE change = 'delete' AND conversation_id LIKE 'conv_%' GROUP BY 1, 2, 3`,
  );
  for (const { organization_id, conversation_id, id, place } of purged) {
    const isOfForgotten = conversationIdNames(conversation_id).some(
      (name) => (holderOf(organization_id, name)?.ledger_place ?? Infinity) < place,
    );
    const isRefused = messageIdNames(id).every((name) => holderOf(organization_id, name) !== undefined);
    expect(!isOfForgotten || isRefused, "forgotten", () => `the purge of ${id} does not refuse it`);
  }
}
