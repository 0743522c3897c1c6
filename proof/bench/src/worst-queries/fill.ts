import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { toIndexedTerms, toTermPrefix } from "../../../../service/src/text/index-terms.ts";
import { runAtOnce } from "../../../../service/src/text/pace.ts";
import { createStemmer } from "../../../../service/src/text/stems.ts";
import type { Progress } from "../../../support/progress.ts";
import type { Store } from "./stores.ts";

const stem = createStemmer();

const CONVERSATION_MESSAGES = 100;
const TRANSACTION_MESSAGES = 5_000;
/** Only part of the content is stored, because it is not searched. */
const CONTENT_CHARACTERS = 100;

/** Fill organizations of a stopped service with the rows and terms of their messages, without vectors. */
export function fillStores(
  dataDirectory: string,
  stores: { store: Store; organizationId: string }[],
  messages: number,
  progress: Progress,
): void {
  const db = new DatabaseSync(findDatabase(dataDirectory));
  try {
    // A failed fill is thrown away, so it does not need to survive a crash.
    db.exec("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF");
    for (const { store, organizationId } of stores)
      fillStore(db, store, organizationId, store.count(messages), (done) =>
        progress(`storing, ${store.name}: ${done} messages`),
      );
  } finally {
    db.close();
  }
}

function fillStore(
  db: DatabaseSync,
  store: Store,
  organizationId: string,
  messages: number,
  progress: (done: number) => void,
): void {
  const organization = db.prepare("SELECT number FROM organizations WHERE id = ?").get(organizationId);
  const mark = toTermPrefix(Number(organization?.number), "conversations");
  const last = db.prepare("SELECT coalesce(max(number), 0) AS number FROM conversations").get();
  const first = Number(last?.number) + 1;
  const insertConversation = db.prepare(
    `INSERT INTO conversations (number, organization_id, id, message_count, token_count, last_sequence, created_at_ms, updated_at_ms)
     VALUES (?1, ?2, 'conv_' || ?1, ?3, 0, ?3, 0, 0)`,
  );
  const insertMessage = db.prepare(
    `INSERT INTO messages (number, organization_id, conversation_id, id, sequence, role, content, content_bytes, token_count, created_at_ms, stored_at_ms)
     VALUES (?1, ?2, 'conv_' || ?3, 'msg_' || ?1, ?4, 'user', ?5, length(?5), ?6, 0, 0)`,
  );
  const insertWords = db.prepare("INSERT INTO message_words (rowid, body) VALUES (?1, ?2)");
  const insertPiece = db.prepare("INSERT INTO message_phrases (rowid, body) VALUES (?1 << 9 | ?2, ?3)");
  for (const statement of [insertWords, insertPiece]) statement.setReadBigInts(true);
  const known = new Map<string, ReturnType<typeof index>>();
  const index = (text: string) => runAtOnce(toIndexedTerms(stem, mark, text));
  let tokens = 0;
  db.exec("BEGIN");
  for (let place = 0; place < messages; place++) {
    const conversation = first + Math.floor(place / CONVERSATION_MESSAGES);
    const sequence = (place % CONVERSATION_MESSAGES) + 1;
    if (sequence === 1)
      insertConversation.run(conversation, organizationId, Math.min(CONVERSATION_MESSAGES, messages - place));
    const number = conversation * 2 ** 24 + sequence;
    const text = store.textOf(place);
    const indexed = known.get(text) ?? index(text);
    if (indexed.phrases.length === 0) known.set(text, indexed);
    const content = text.slice(0, CONTENT_CHARACTERS);
    insertMessage.run(number, organizationId, conversation, sequence, content, indexed.term_count);
    insertWords.run(BigInt(number), indexed.terms);
    for (const [at, piece] of indexed.phrases.entries()) insertPiece.run(BigInt(number), BigInt(at), piece);
    tokens += indexed.term_count;
    if ((place + 1) % TRANSACTION_MESSAGES === 0) {
      db.exec("COMMIT; BEGIN");
      progress(place + 1);
    }
  }
  db.prepare(
    `UPDATE organization_counters SET conversation_count = ?2, message_count = ?3, token_count = ?4 WHERE organization_id = ?1`,
  ).run(organizationId, Math.ceil(messages / CONVERSATION_MESSAGES), messages, tokens);
  db.exec("COMMIT");
}

function findDatabase(dataDirectory: string): string {
  for (const entry of readdirSync(dataDirectory, { recursive: true, withFileTypes: true })) {
    if (!entry.name.endsWith(".sqlite")) continue;
    const file = join(entry.parentPath, entry.name);
    const db = new DatabaseSync(file, { readOnly: true });
    try {
      if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'messages'").get() !== undefined) return file;
    } finally {
      db.close();
    }
  }
  throw new Error(`No database in ${dataDirectory} has messages`);
}
