import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { areReads } from "../../../../service/src/platform/cell-storage.ts";

const MIGRATIONS = join(import.meta.dirname, "../../../../migrations");

/** D1's limits, which the code relies on. */
const BINDS_MAX = 100;
const SQL_BYTES_MAX = 100_000;
const STRING_BYTES_MAX = 2_000_000;

export interface BoundStatement {
  sql: string;
  binds: unknown[];
}

export interface Rows {
  results: Record<string, unknown>[];
  changes: number;
}

/** Changes a statement's text before it runs. Tests use it to apply mutations. */
export type Rewrite = (sql: string) => string;

let migrated: Uint8Array | undefined;

/** A serialized empty database with the project's migrations applied. */
function migratedBytes(): Uint8Array {
  if (migrated !== undefined) return migrated;
  const database = new DatabaseSync(":memory:");
  const files = readdirSync(MIGRATIONS).filter((name) => name.endsWith(".sql"));
  for (const name of files.sort()) database.exec(readFileSync(join(MIGRATIONS, name), "utf8"));
  migrated = database.serialize();
  database.close();
  return migrated;
}

/** SQL for a message's marker. A memory has it in the metadata of its conversation row. */
const MARKER = (row: "NEW" | "OLD") => `coalesce(${row}.metadata ->> 'marker',
  (SELECT c.metadata ->> 'marker' FROM main.conversations AS c WHERE c.row_key = ${row}.row_key >> 24))`;

/** SQL that records the end of a job and the memory's content at that time. */
const ENDED = (row: "NEW" | "OLD") => `INSERT INTO ended_jobs (memory_id, content_hash, attempts)
    SELECT c.id, c.content_hash, ${row}.attempts FROM main.conversations AS c
     WHERE c.organization_id = ${row}.organization_id AND c.id = ${row}.memory_id`;

/** What a version of a memory has in common with its row. */
export const OF_VERSION = [
  ...["kind", "source", "user_id", "tags", "summary", "metadata", "valid_from_ms", "valid_until_ms"],
  ...["occurred_at_ms", "supersedes", "superseded_by", "enriched_by", "content_hash", "created_at_ms"],
];
const versionOf = (row: "NEW" | "OLD") => OF_VERSION.map((column) => `${row}.${column}`).join(", ");

/** SQL for the number of hashes of tombstones that were ever stored. */
const HASHES = "(SELECT coalesce(max(place), 0) FROM hashed)";

/**
 * Temporary tables that the service cannot see. They record every committed and deleted message in order, every hash
 * of a tombstone, how many hashes there were when an item got its names, the last sequence of each fork at its creation,
 * what each change of a memory replaced, and the end of every enrichment job. A rollback removes their rows too.
 */
const LEDGER = `
  CREATE TEMP TABLE hidden (organization_id TEXT PRIMARY KEY);
  CREATE TEMP TABLE whole_ledger (
    place INTEGER PRIMARY KEY, change TEXT NOT NULL, row_key INTEGER NOT NULL, organization_id TEXT NOT NULL,
    conversation_id TEXT NOT NULL, id TEXT NOT NULL, sequence INTEGER NOT NULL, marker INTEGER);
  CREATE TEMP VIEW ledger AS SELECT * FROM whole_ledger WHERE organization_id NOT IN (SELECT organization_id FROM hidden);
  CREATE TEMP TRIGGER ledger_insert AFTER INSERT ON main.messages BEGIN
    INSERT INTO whole_ledger (change, row_key, organization_id, conversation_id, id, sequence, marker)
    VALUES ('insert', NEW.row_key, NEW.organization_id, NEW.conversation_id, NEW.id, NEW.sequence,
            ${MARKER("NEW")});
  END;
  CREATE TEMP TRIGGER ledger_delete AFTER DELETE ON main.messages BEGIN
    INSERT INTO whole_ledger (change, row_key, organization_id, conversation_id, id, sequence, marker)
    VALUES ('delete', OLD.row_key, OLD.organization_id, OLD.conversation_id, OLD.id, OLD.sequence,
            ${MARKER("OLD")});
  END;
  CREATE TEMP TABLE hashed (
    place INTEGER PRIMARY KEY, organization_id TEXT NOT NULL, hash TEXT NOT NULL, tombstone_id TEXT NOT NULL,
    ledger_place INTEGER NOT NULL);
  CREATE TEMP TRIGGER hashed_insert AFTER INSERT ON main.tombstone_hashes BEGIN
    INSERT INTO hashed (organization_id, hash, tombstone_id, ledger_place)
    VALUES (NEW.organization_id, NEW.hash, NEW.tombstone_id, (SELECT coalesce(max(place), 0) FROM whole_ledger));
  END;
  CREATE TEMP TABLE named (row_key INTEGER PRIMARY KEY, named_at INTEGER NOT NULL, said_at INTEGER NOT NULL);
  CREATE TEMP TRIGGER named_insert AFTER INSERT ON main.conversations BEGIN
    INSERT INTO named (row_key, named_at, said_at) VALUES (NEW.row_key, ${HASHES}, ${HASHES});
  END;
  CREATE TEMP TRIGGER named_user AFTER UPDATE OF user_id ON main.conversations WHEN NEW.user_id IS NOT OLD.user_id BEGIN
    UPDATE named SET named_at = ${HASHES}, said_at = ${HASHES} WHERE row_key = NEW.row_key;
  END;
  CREATE TEMP TRIGGER named_content AFTER UPDATE OF content_hash ON main.conversations
    WHEN NEW.content_hash IS NOT OLD.content_hash BEGIN
    UPDATE named SET said_at = ${HASHES} WHERE row_key = NEW.row_key;
  END;
  CREATE TEMP TABLE births (row_key INTEGER PRIMARY KEY, last_sequence INTEGER NOT NULL);
  CREATE TEMP TRIGGER birth AFTER INSERT ON main.conversations WHEN NEW.last_sequence > 0 AND NEW.kind = 'conversation' BEGIN
    INSERT INTO births (row_key, last_sequence) VALUES (NEW.row_key, NEW.last_sequence);
  END;
  CREATE TEMP TABLE replaced (row_key INTEGER NOT NULL, version INTEGER NOT NULL, ${OF_VERSION.join(", ")}, content TEXT);
  CREATE TEMP TRIGGER replace_version AFTER UPDATE ON main.conversations
    WHEN OLD.kind <> 'conversation' AND (${versionOf("NEW")}) IS NOT (${versionOf("OLD")}) BEGIN
    INSERT INTO replaced SELECT OLD.row_key, OLD.version, ${versionOf("OLD")}, m.content
      FROM main.messages AS m WHERE m.row_key = (OLD.row_key << 24) + 1;
  END;
  CREATE TEMP TABLE ended_jobs (memory_id TEXT NOT NULL, content_hash TEXT NOT NULL, attempts INTEGER NOT NULL);
  CREATE TEMP TRIGGER job_delete AFTER DELETE ON main.enrichment_jobs WHEN OLD.pass <> 3 BEGIN
    ${ENDED("OLD")};
  END;
  CREATE TEMP TRIGGER job_done AFTER UPDATE OF pass ON main.enrichment_jobs WHEN NEW.pass = 3 BEGIN
    ${ENDED("NEW")};
  END;`;

/** SQL for whether an active hold holds a row of `conversations`: by its id, or by a filter of the simulator's clients. */
const isHeld = (row: string) => `EXISTS (
    SELECT 1 FROM main.holds AS h WHERE h.organization_id = ${row}.organization_id AND h.lifted_at_ms IS NULL
       AND CASE WHEN h.has_ids THEN EXISTS (SELECT 1 FROM main.hold_items AS i
                  WHERE i.organization_id = h.organization_id AND i.hold_id = h.id AND i.item_id = ${row}.id)
                ELSE h.user_id IS NOT NULL AND h.user_id = ${row}.user_id AND h.agent_id IS NULL AND h.tags_any IS NULL
                     AND h.tags_all IS NULL AND h.metadata IS NULL AND h.created_after_ms IS NULL
                     AND h.created_before_ms IS NULL
                     AND (h.corpus IS NULL OR (h.corpus = 'conversations') = (${row}.kind = 'conversation')) END)`;
const lostRow = (change: string, row: string, id: string) =>
  `INSERT INTO whole_lost SELECT ${row}.organization_id, ${row}.${id}, '${change}'`;
const ofMessage = `(SELECT 1 FROM main.conversations AS c WHERE c.row_key = OLD.row_key >> 24 AND ${isHeld("c")})`;
const KEPT = ["tags", "metadata", "title", "user_id", "agent_id", "content_hash", "shared", "valid_until_ms"];

/** Records what a legal hold should have kept. An organization that is restored gets its rows back, which loses nothing. */
const LOST = `
  CREATE TEMP TABLE whole_lost (organization_id TEXT NOT NULL, id TEXT NOT NULL, change TEXT NOT NULL);
  CREATE TEMP VIEW lost AS SELECT * FROM whole_lost WHERE organization_id NOT IN (SELECT organization_id FROM hidden);
  CREATE TEMP TRIGGER lost_deletion AFTER UPDATE OF deleted_at_ms ON main.conversations
    WHEN OLD.deleted_at_ms IS NULL AND NEW.deleted_at_ms IS NOT NULL AND ${isHeld("OLD")} BEGIN
    ${lostRow("is deleted", "OLD", "id")};
  END;
  CREATE TEMP TRIGGER lost_fields AFTER UPDATE ON main.conversations
    WHEN (${KEPT.map((name) => `NEW.${name}`)}) IS NOT (${KEPT.map((name) => `OLD.${name}`)}) AND ${isHeld("OLD")} BEGIN
    ${lostRow("is edited", "OLD", "id")};
  END;
  CREATE TEMP TRIGGER lost_row AFTER DELETE ON main.conversations WHEN ${isHeld("OLD")} BEGIN
    ${lostRow("is purged", "OLD", "id")};
  END;
  CREATE TEMP TRIGGER lost_content AFTER UPDATE OF content ON main.messages
    WHEN NEW.content IS NOT OLD.content AND EXISTS ${ofMessage} BEGIN
    ${lostRow("has another content", "OLD", "id")};
  END;
  CREATE TEMP TRIGGER lost_message AFTER DELETE ON main.messages WHEN EXISTS ${ofMessage} BEGIN
    ${lostRow("is removed", "OLD", "id")};
  END;`;

/** The tables with rows of organizations. */
const OF_ORGANIZATIONS = `
  SELECT t.name, c.name AS column FROM main.sqlite_schema AS t JOIN pragma_table_info(t.name, 'main') AS c
   WHERE t.type = 'table' AND (c.name = 'organization_id' OR t.name = 'organizations' AND c.name = 'id')`;

/** A statement's result with the names of its columns once. */
export interface Table {
  columns: string[];
  rows: unknown[][];
}

interface Prepared {
  statement: StatementSync;
  columns: string[];
  /** Whether it cannot write. */
  isRead: boolean;
}

/** A database: real SQLite, that of D1 with D1's limits, or that of an object. */
export class Database {
  readonly #database = new DatabaseSync(":memory:");
  readonly #statements = new Map<string, Prepared>();
  /** Those that return each row as a list. */
  readonly #arrays = new Map<string, Prepared>();
  readonly #rewrite: Rewrite;
  readonly #changes: StatementSync;
  /** What the service has changed so far, without the rows of the ledger. */
  #totalChanges = 0;

  /** @param image Content of the database. Without one it is empty, and the ledger begins with {@link watch}. */
  private constructor(rewrite: Rewrite, image: Uint8Array | null) {
    this.#rewrite = rewrite;
    if (image !== null) {
      this.#database.deserialize(image);
      this.watch();
    }
    this.#changes = this.#database.prepare("SELECT changes() AS changes");
  }

  static migrated(rewrite: Rewrite = (sql) => sql): Database {
    return new Database(rewrite, migratedBytes());
  }

  static empty(rewrite: Rewrite): Database {
    const database = new Database(rewrite, null);
    database.#database.function("total_changes", () => database.#totalChanges);
    // Node reads no numbers above 2^53, which the keyword index has.
    database.#database.function("last_insert_rowid", () => 0);
    return database;
  }

  /** Begins the ledger, once the tables exist. */
  watch(): void {
    this.#database.exec(LEDGER);
    this.#database.exec(LOST);
  }

  /** Run statements in one transaction. @throws {Error} In D1's words; then nothing was changed. */
  transact(statements: BoundStatement[]): Rows[] {
    try {
      return this.transaction(() => statements.map((statement) => this.#run(statement)));
    } catch (error) {
      throw error instanceof Error && error.message.startsWith("D1_") ? error : toD1Error(error);
    }
  }

  /** If the work throws, nothing was changed. */
  transaction<T>(work: () => T): T {
    this.#database.exec("BEGIN");
    try {
      const result = work();
      this.#database.exec("COMMIT");
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  /** Runs a statement as an object does: with its error as SQLite says it, and bytes as workerd returns them. */
  execute(sql: string, values: SQLInputValue[]): Table {
    const { statement, columns, isRead } = this.#prepare(sql, this.#arrays);
    if (columns.length === 0) {
      this.#totalChanges += Number(statement.run(...values).changes);
      return { columns, rows: [] };
    }
    // Its rows are arrays, unlike what the types say.
    const rows = statement.all(...values) as unknown as unknown[][];
    if (!isRead) this.#totalChanges += this.#lastChanges();
    return { columns, rows: rows.map((row) => row.map(toBuffer)) };
  }

  /** Runs the statements of a migration. */
  runScript(sql: string): void {
    this.#database.exec(sql);
  }

  /** Rows for a check, which sees committed data and has no limits. */
  select<Row>(sql: string, ...binds: SQLInputValue[]): Row[] {
    const { statement } = this.#prepare(sql, this.#statements, (text) => text);
    return statement.all(...binds) as Row[];
  }

  /**
   * Runs checks that do not see these organizations. Temporary views stand before the tables meanwhile, which the service
   * does not meet, because a check waits for nothing.
   */
  without<T>(organizationIds: readonly string[], check: () => T): T {
    if (organizationIds.length === 0) return check();
    const tables = this.select<{ name: string; column: string }>(OF_ORGANIZATIONS);
    for (const id of organizationIds) this.#database.prepare("INSERT INTO hidden VALUES (?)").run(id);
    for (const { name, column } of tables)
      this.#database.exec(
        `CREATE TEMP VIEW ${name} AS SELECT * FROM main.${name}
          WHERE ${column} IS NULL OR ${column} NOT IN (SELECT organization_id FROM hidden)`,
      );
    try {
      return check();
    } finally {
      for (const { name } of tables) this.#database.exec(`DROP VIEW temp.${name}`);
      this.#database.exec("DELETE FROM hidden");
    }
  }

  close(): void {
    this.#database.close();
  }

  #run({ sql, binds }: BoundStatement): Rows {
    const { statement, columns } = this.#prepare(sql, this.#statements);
    const values = binds.map(toSqlValue);
    if (columns.length === 0) {
      return { results: [], changes: Number(statement.run(...values).changes) };
    }
    const results = statement.all(...values) as Record<string, unknown>[];
    for (const row of results) for (const value of Object.values(row)) checkString(value);
    return { results, changes: this.#lastChanges() };
  }

  #lastChanges(): number {
    return Number(this.#changes.get()?.changes ?? 0);
  }

  #prepare(sql: string, statements: Map<string, Prepared>, rewrite = this.#rewrite): Prepared {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    if (sql.length > SQL_BYTES_MAX) throw new Error("D1_ERROR: statement too long: SQLITE_TOOBIG");
    const statement = this.#database.prepare(rewrite(sql));
    const columns = statement.columns().map(({ name }) => name);
    // The keyword index leaves row ids above 2^53.
    if (columns.length === 0) statement.setReadBigInts(true);
    if (statements === this.#arrays) statement.setReturnArrays(true);
    const prepared = { statement, columns, isRead: areReads([{ sql }]) };
    statements.set(sql, prepared);
    return prepared;
  }
}

const toBuffer = (value: unknown): unknown =>
  value instanceof Uint8Array
    ? value.buffer.slice(value.byteOffset, value.byteOffset + value.byteLength)
    : value;

/** Converts a value as D1 binds it. @throws {Error} For a type that D1 does not accept. */
function toSqlValue(value: unknown): SQLInputValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value !== null && typeof value !== "number" && typeof value !== "string") {
    throw new Error(`D1_TYPE_ERROR: Type '${typeof value}' not supported for value '${value}'`);
  }
  checkString(value);
  return value;
}

export function checkBinds(binds: unknown[]): void {
  if (binds.length > BINDS_MAX) throw new Error("D1_ERROR: too many SQL variables: SQLITE_ERROR");
}

function checkString(value: unknown): void {
  // A UTF-16 unit takes at most three bytes.
  if (typeof value !== "string" || value.length * 3 <= STRING_BYTES_MAX) return;
  if (Buffer.byteLength(value) > STRING_BYTES_MAX) {
    throw new Error("D1_ERROR: string or blob too big: SQLITE_TOOBIG");
  }
}

function toD1Error(error: unknown): Error {
  const { message, errcode = 1 } = error as { message: string; errcode?: number };
  const name = (errcode & 0xff) === 19 ? "SQLITE_CONSTRAINT" : "SQLITE_ERROR";
  return new Error(`D1_ERROR: ${message}: ${name}`);
}
