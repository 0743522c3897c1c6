import { readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Progress } from "../../../support/progress.ts";

/** A message's row key holds its sequence in the low 24 bits. */
const SEQUENCE_BITS = 24;

/**
 * Numbers of the copied conversations: the first conversation of every organization, then the second of each,
 * and so on.
 */
const CONVERSATION = "((copied.place - 1) * (SELECT count(*) FROM target) + target.place + 1)";
const MESSAGE = `((${CONVERSATION} << ${SEQUENCE_BITS}) | m.sequence)`;
const VECTOR = `to_vector_id(m.vector_id, ${CONVERSATION})`;

/**
 * Copy everything of one organization to empty organizations of another service: rows, terms and vectors, in
 * the order of conversations that were written in turns.
 *
 * Both services must be stopped, and the target must have been searched once, which creates its vector table.
 * Ids are kept, so that results can be compared; only the ids of vectors differ, because they contain the
 * conversation's number. Speaker names are not copied: this workload has none.
 */
export function copyOrganization(
  from: { dataDirectory: string; organizationId: string },
  to: { dataDirectory: string; organizationIds: string[] },
  progress: Progress,
): void {
  const db = new DatabaseSync(findDatabase(to.dataDirectory, "messages"));
  try {
    attach(db, "source", findDatabase(from.dataDirectory, "messages"));
    attach(db, "source_vectors", findDatabase(from.dataDirectory, "vectors"));
    attach(db, "vectors", findDatabase(to.dataDirectory, "vectors"));
    // A failed copy is thrown away, so it does not need to survive a crash.
    for (const schema of ["main", "vectors"]) {
      db.exec(`PRAGMA ${schema}.journal_mode = MEMORY; PRAGMA ${schema}.synchronous = OFF`);
    }
    db.function("to_vector_id", { deterministic: true }, (id, conversation) =>
      toVectorId(String(id), Number(conversation)),
    );
    makeTables(db, from.organizationId, to.organizationIds);
    const conversations = db.prepare("SELECT id FROM copied ORDER BY place").all();
    for (const [i, { id }] of conversations.entries()) {
      progress(`copying, ${i} of ${conversations.length} conversations`);
      copyConversation(db, from.organizationId, String(id));
    }
    copyCounters(db, from.organizationId);
  } finally {
    db.close();
  }
}

/** The only database in a data directory with this table. */
function findDatabase(dataDirectory: string, table: string): string {
  const files = readdirSync(dataDirectory, { recursive: true, withFileTypes: true })
    .filter(({ name }) => name.endsWith(".sqlite"))
    .map((entry) => join(entry.parentPath, entry.name));
  for (const file of files) {
    const db = new DatabaseSync(file, { readOnly: true });
    try {
      if (db.prepare("SELECT 1 FROM sqlite_schema WHERE name = ?").get(table) !== undefined) return file;
    } finally {
      db.close();
    }
  }
  throw new Error(`No database in ${dataDirectory} has ${table}`);
}

function attach(db: DatabaseSync, schema: string, file: string): void {
  db.prepare(`ATTACH ? AS ${schema}`).run(file);
}

/**
 * Replace the conversation's number in a vector id: "chunk.conversation.first.last", with numbers in base 36.
 */
function toVectorId(id: string, conversation: number): string {
  const [chunk, , ...sequences] = id.split(".");
  return [chunk, conversation.toString(36), ...sequences].join(".");
}

/**
 * Tables of conversations to copy, numbered from 1, of target organizations, numbered from 0, and of
 * messages' terms without the organization's prefix.
 */
function makeTables(db: DatabaseSync, fromId: string, toIds: string[]): void {
  db.exec(`
    CREATE TEMP TABLE copied (place INTEGER PRIMARY KEY, id TEXT NOT NULL);
    CREATE TEMP TABLE target (place INTEGER PRIMARY KEY, id TEXT NOT NULL, number INTEGER NOT NULL);
    CREATE TEMP TABLE words (number INTEGER PRIMARY KEY, body TEXT NOT NULL);
  `);
  db.prepare(
    `INSERT INTO copied SELECT row_number() OVER (ORDER BY number), id
       FROM source.conversations WHERE organization_id = ?`,
  ).run(fromId);
  db.prepare(
    `INSERT INTO target SELECT ids.key, o.id, o.number FROM json_each(?) AS ids
       JOIN main.organizations AS o ON o.id = ids.value`,
  ).run(JSON.stringify(toIds));
  // A marker replaces the organization's prefix; it occurs in no term.
  db.prepare(
    `INSERT INTO words
     SELECT p.doc, group_concat(char(1) || substr(p.term, instr(p.term, '~')), ' ' ORDER BY p.offset)
       FROM source.message_postings AS p
      WHERE p.doc IN (SELECT number FROM source.messages WHERE organization_id = ?) GROUP BY p.doc`,
  ).run(fromId);
}

function copyConversation(db: DatabaseSync, fromId: string, id: string): void {
  /** SQL for the source rows of `table` as `m`, once per target. */
  const copies = (table: string, column = "conversation_id") =>
    `FROM copied CROSS JOIN target
      CROSS JOIN source.${table} AS m ON m.organization_id = ?1 AND m.${column} = copied.id AND copied.id = ?2`;
  const insert = (into: string, columns: string[], values: string[], rows: string) =>
    db.prepare(`INSERT INTO ${into} (${columns}) SELECT ${values} ${rows}`).run(fromId, id);
  const insertRows = (table: string, changed: Record<string, string>, rows: string) => {
    const columns = db
      .prepare("SELECT name FROM pragma_table_info(?)")
      .all(table)
      .map(({ name }) => String(name));
    const values = columns.map((column) => changed[column] ?? `m.${column}`);
    insert(`main.${table}`, columns, values, rows);
  };
  const inOrder = "ORDER BY target.place, m.number";
  db.exec("BEGIN");
  insertRows(
    "conversations",
    { number: CONVERSATION, organization_id: "target.id" },
    `${copies("conversations", "id")} ${inOrder}`,
  );
  insertRows(
    "messages",
    { number: MESSAGE, organization_id: "target.id", name_words: "NULL" },
    `${copies("messages")} ${inOrder}`,
  );
  insert(
    "main.message_words",
    ["rowid", "body"],
    [MESSAGE, "replace(words.body, char(1), target.number)"],
    `${copies("messages")} CROSS JOIN words ON words.number = m.number ${inOrder}`,
  );
  insertRows(
    "conversation_chunks",
    { organization_id: "target.id", vector_id: VECTOR },
    `${copies("conversation_chunks")} ORDER BY target.place, m.window_start`,
  );
  insert(
    "vectors.vectors",
    ["id", "namespace", "vector", "metadata", "indexed"],
    [VECTOR, "target.id", "v.vector", "v.metadata", "v.indexed"],
    `${copies("conversation_chunks")} CROSS JOIN source_vectors.vectors AS v ON v.id = m.vector_id
     ORDER BY target.place, m.window_start`,
  );
  db.exec("COMMIT");
}

function copyCounters(db: DatabaseSync, fromId: string): void {
  db.prepare(
    `UPDATE main.organization_counters
        SET (conversation_count, message_count, token_count) =
            (SELECT conversation_count, message_count, token_count
               FROM source.organization_counters WHERE organization_id = ?)
      WHERE organization_id IN (SELECT id FROM target)`,
  ).run(fromId);
}
