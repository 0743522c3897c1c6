export interface VectorRow {
  id: string;
  /** Empty for a vector without a namespace. */
  namespace: string;
  values: Float32Array;
  metadata: string | null;
  indexed: string;
}

export type Mutation = { kind: "upsert"; vectors: VectorRow[] } | { kind: "delete"; ids: string[] };

/** A mutation that is stored, but that queries do not see yet. */
export interface PendingMutation {
  sequence: number;
  mutation: Mutation;
}

type StoredRow = {
  id: string;
  namespace: string;
  vector: ArrayBuffer;
  metadata: string | null;
  indexed: string;
};

export function createTables(sql: SqlStorage): void {
  sql.exec(`
    CREATE TABLE IF NOT EXISTS vectors (
      id TEXT PRIMARY KEY, namespace TEXT NOT NULL, vector BLOB NOT NULL, metadata TEXT, indexed TEXT NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS vectors_by_namespace ON vectors (namespace);
    CREATE TABLE IF NOT EXISTS pending_mutations (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT, mutation_id TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('upsert', 'delete')), visible_at_ms INTEGER NOT NULL
    ) STRICT;
    -- A row per vector, because a mutation may be larger than one row can be.
    CREATE TABLE IF NOT EXISTS pending_vectors (
      sequence INTEGER NOT NULL, position INTEGER NOT NULL, id TEXT NOT NULL, namespace TEXT NOT NULL,
      vector BLOB NOT NULL, metadata TEXT, indexed TEXT NOT NULL, PRIMARY KEY (sequence, position)
    ) STRICT, WITHOUT ROWID;
  `);
}

export function upsertVector(sql: SqlStorage, row: VectorRow): void {
  sql.exec(
    `INSERT INTO vectors (id, namespace, vector, metadata, indexed) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET namespace = excluded.namespace, vector = excluded.vector,
                                        metadata = excluded.metadata, indexed = excluded.indexed`,
    ...rowValues(row),
  );
}

export function deleteVectors(sql: SqlStorage, ids: readonly string[]): void {
  sql.exec("DELETE FROM vectors WHERE id IN (SELECT value FROM json_each(?))", JSON.stringify(ids));
}

export function selectNamespaces(sql: SqlStorage, ids: readonly string[]): Map<string, string> {
  const rows = sql.exec<{ id: string; namespace: string }>(
    "SELECT id, namespace FROM vectors WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify(ids),
  );
  return new Map(rows.toArray().map((row) => [row.id, row.namespace]));
}

export function* selectNamespace(sql: SqlStorage, namespace: string): Generator<VectorRow, void, undefined> {
  const rows = sql.exec<StoredRow>(
    "SELECT id, namespace, vector, NULL AS metadata, indexed FROM vectors WHERE namespace = ?",
    namespace,
  );
  for (const row of rows) yield toVectorRow(row);
}

export function selectNamespaceNames(sql: SqlStorage): string[] {
  const rows = sql.exec<{ namespace: string }>("SELECT DISTINCT namespace FROM vectors");
  return rows.toArray().map((row) => row.namespace);
}

export function selectVectors(sql: SqlStorage, ids: readonly string[]): Map<string, VectorRow> {
  const rows = sql.exec<StoredRow>(
    `SELECT id, namespace, vector, metadata, indexed FROM vectors
      WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  );
  return new Map(rows.toArray().map((row) => [row.id, toVectorRow(row)]));
}

export function insertPending(
  sql: SqlStorage,
  { mutationId, mutation, visibleAtMs }: { mutationId: string; mutation: Mutation; visibleAtMs: number },
): void {
  const { sequence } = sql
    .exec<{ sequence: number }>(
      "INSERT INTO pending_mutations (mutation_id, kind, visible_at_ms) VALUES (?, ?, ?) RETURNING sequence",
      mutationId,
      mutation.kind,
      visibleAtMs,
    )
    .one();
  const rows =
    mutation.kind === "delete"
      ? mutation.ids.map((id) => ({
          id,
          namespace: "",
          values: new Float32Array(0),
          metadata: null,
          indexed: "",
        }))
      : mutation.vectors;
  rows.forEach((row, position) => {
    sql.exec(
      `INSERT INTO pending_vectors (sequence, position, id, namespace, vector, metadata, indexed)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      sequence,
      position,
      ...rowValues(row),
    );
  });
}

export function selectLastVisibleAtMs(sql: SqlStorage): number | undefined {
  const row = sql
    .exec<{ at_ms: number | null }>("SELECT max(visible_at_ms) AS at_ms FROM pending_mutations")
    .one();
  return row.at_ms ?? undefined;
}

export function selectDuePending(sql: SqlStorage, nowMs: number): PendingMutation | undefined {
  const [first] = sql
    .exec<{ sequence: number; kind: Mutation["kind"] }>(
      `SELECT sequence, kind FROM pending_mutations
        WHERE visible_at_ms <= ? ORDER BY sequence LIMIT 1`,
      nowMs,
    )
    .toArray();
  if (first === undefined) return undefined;
  const rows = sql.exec<StoredRow>(
    `SELECT id, namespace, vector, metadata, indexed FROM pending_vectors WHERE sequence = ? ORDER BY position`,
    first.sequence,
  );
  const vectors = rows.toArray().map(toVectorRow);
  const mutation: Mutation =
    first.kind === "delete"
      ? { kind: "delete", ids: vectors.map((row) => row.id) }
      : { kind: first.kind, vectors };
  return { sequence: first.sequence, mutation };
}

export function deletePending(sql: SqlStorage, sequence: number): void {
  sql.exec("DELETE FROM pending_vectors WHERE sequence = ?", sequence);
  sql.exec("DELETE FROM pending_mutations WHERE sequence = ?", sequence);
}

function rowValues(row: VectorRow): (string | Uint8Array | null)[] {
  const { buffer, byteOffset, byteLength } = row.values;
  return [row.id, row.namespace, new Uint8Array(buffer, byteOffset, byteLength), row.metadata, row.indexed];
}

function toVectorRow(row: StoredRow): VectorRow {
  return { ...row, values: new Float32Array(row.vector) };
}
