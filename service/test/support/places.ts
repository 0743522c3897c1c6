// The tests run over D1 and, in another project of vitest, with each organization in a cell. There, what a test stores or
// reads by itself is in one of several databases. `env.DB` and `env.VECTORIZE` find the one that the test means.

import { env as workerEnv } from "cloudflare:workers";
import { AsyncLocalStorage } from "node:async_hooks";
import { answerPassed, type ServiceFetch } from "../../src/cell-answers.ts";
import type { AnsweringCell, Env } from "../../src/invocation.ts";
import { toDatabase } from "../../src/platform/cell-database.ts";
import { areReads, type Outcome, type StatementResult, type Value } from "../../src/platform/cell-storage.ts";
import {
  type CallInterceptor,
  type DatabaseCall,
  interceptCalls,
  type Result,
  sendCall,
} from "../../src/platform/database-calls.ts";
import { cellStore } from "../../src/platform/places.ts";
import { type VectorFilter, type VectorizeBinding, vectorizeStore } from "../../src/platform/vectors.ts";

const bindings = workerEnv as unknown as Env & {
  CELLS: NonNullable<Env["CELLS"]>;
  /** In place of those of all jurisdictions, which the runtime of the tests does not have. */
  CELLS_ELSEWHERE: NonNullable<Env["CELLS"]>;
};

/** Organizations whose cells are in a jurisdiction. */
const elsewhere = new Set<string>();

const objectOf = (organizationId: string): AnsweringCell =>
  (elsewhere.has(organizationId) ? bindings.CELLS_ELSEWHERE : bindings.CELLS).getByName(organizationId);

/** Whether new organizations are in cells. */
export const isInCells = bindings.DEFAULT_PLACE === "cell";

/** D1, or the id of the organization in whose cell it is. */
type Place = "d1" | (string & {});

/** What the service calls. Unset while a test looks by itself. */
const called = new AsyncLocalStorage<Place>();

/** The database as the service calls it for a place, also through what a test puts in between. */
export const databaseAt = (place: Place, db: D1Database): D1Database =>
  interceptCalls(db, (_, send) => called.run(place, send));

/** The vectors as the service calls them for a place. */
export const vectorsAt = (place: Place, index: VectorizeBinding): VectorizeBinding => ({
  upsert: (...call) => called.run(place, () => index.upsert(...call)),
  query: (...call) => called.run(place, () => index.query(...call)),
  getByIds: (...call) => called.run(place, () => index.getByIds(...call)),
  deleteByIds: (...call) => called.run(place, () => index.deleteByIds(...call)),
});

/** Organizations in cells that tests before this one have created. */
const past = new Set<string>();
/** Those that this test has created, or the file before its tests. They stay after they are erased. */
const present = new Set<string>();
/** Those that all tests of the file share. */
const shared = new Set<string>();

/** The organizations in cells that the test can know. */
export async function cellsOfTest(): Promise<string[]> {
  for (const id of await listedCells()) if (!past.has(id)) present.add(id);
  return [...present];
}

async function listedCells(): Promise<string[]> {
  if (!isInCells) return [];
  const listed = bindings.DB.prepare("SELECT id FROM organizations WHERE place = 'cell' ORDER BY number");
  return (await listed.all<{ id: string }>()).results.map(({ id }) => id);
}

/** Tests that run now. Some files run theirs at the same time. */
let running = 0;

export async function beginTest(): Promise<void> {
  running += 1;
  const ids = await cellsOfTest();
  if (running === 1) for (const id of ids) shared.add(id);
}

export async function endTest(): Promise<void> {
  const ids = await cellsOfTest();
  running -= 1;
  if (running > 0) return;
  for (const id of ids) {
    if (shared.has(id)) continue;
    present.delete(id);
    past.add(id);
  }
}

/** For the next file. */
export function forgetCells(): void {
  for (const id of present) past.add(id);
  present.clear();
  shared.clear();
  running = 0;
}

const databaseOf = (organizationId: string): D1Database =>
  toDatabase(async (statements) => objectOf(organizationId).run(statements));

/** What each database has of its own, and the clients of OAuth, which belong to no organization. */
const IN_D1 = /\b(sqlite_master|sqlite_schema|d1_migrations|pragma_\w+|EXPLAIN|assertions|cell_members)\b/;

/** Sends a call to the place for which the service makes it, or to that which a test means. */
export const toPlace: CallInterceptor = async (call, send) => {
  const place = called.getStore();
  if (place === "d1") return send();
  if (place !== undefined) return sendCall(databaseOf(place), call);
  if (!isInCells) return send();
  const cells = await cellsOfTest();
  // Also in a list.
  const isIn = (value: unknown, id: string) => typeof value === "string" && value.includes(id);
  const isMeant = (id: string) => call.statements.some(({ values }) => values.some((one) => isIn(one, id)));
  const meant = cells.filter(isMeant);
  const [only] = meant;
  // D1 keeps the receipts of one that is erased.
  const isOne = only !== undefined && meant.length === 1 && (await listedCells()).includes(only);
  if (isOne) return sendCall(databaseOf(only), call);
  if (call.statements.some(({ sql }) => IN_D1.test(sql))) return send();
  const results = [await send()];
  for (const id of meant.length > 0 ? meant : cells) results.push(await sendCall(databaseOf(id), call));
  return combined(call, results);
};

/** A statement that counts in each database. */
const COUNT = /^\s*SELECT\s+\(*\s*(?:SELECT\s+)?(?:count|sum|total)\b/i;

/** The results of all places as if they were one. */
function combined({ statements }: DatabaseCall, results: Result[][]): Result[] {
  return statements.map(({ sql }, i) => {
    const each = results.flatMap((ofPlace) => ofPlace[i] ?? []);
    const sum = (field: "changes" | "rows_read" | "rows_written") =>
      each.reduce((before, { meta }) => before + meta[field], 0);
    const rows = each.flatMap((result) => result.results as Record<string, unknown>[]);
    const [first] = each;
    if (first === undefined) throw new Error("a statement has no result");
    return {
      ...first,
      results: COUNT.test(sql) ? [added(rows)] : rows,
      meta: {
        ...first.meta,
        changes: sum("changes"),
        rows_read: sum("rows_read"),
        rows_written: sum("rows_written"),
      },
    };
  });
}

const added = (rows: Record<string, unknown>[]): Record<string, unknown> =>
  Object.fromEntries(
    Object.keys(rows[0] ?? {}).map((name) => [
      name,
      rows.reduce((sum, row) => sum + Number(row[name] ?? 0), 0),
    ]),
  );

/** Fails if a test lets the vector store fail. */
const failIfAsked = () => bindings.VECTORIZE.getByIds(["none"]);

/** Vectorize, and the vectors of cells. */
export const placedVectors: VectorizeBinding = {
  async upsert(vectors) {
    for (const [namespace = "", ofOne] of Map.groupBy(vectors, (vector) => vector.namespace)) {
      const cell = await cellOfNamespace(namespace);
      if (cell === null) await bindings.VECTORIZE.upsert(ofOne);
      else {
        const stored = ofOne.map(({ id, values, metadata }) => {
          const { text_hash: textHash, ...rest } = metadata ?? {};
          return { id, values: [...values], metadata: rest as never, textHash: String(textHash) };
        });
        await cell.upsertVectors(stored);
      }
    }
  },
  async query(vector, options) {
    const cell = await cellOfNamespace(options.namespace ?? "");
    if (cell === null) return bindings.VECTORIZE.query(vector, options);
    return { matches: await cell.queryVectors(vector, (options.filter ?? {}) as VectorFilter) };
  },
  async getByIds(ids) {
    const found = (await isCalledAt("d1")) ? await bindings.VECTORIZE.getByIds(ids) : [];
    const cells = await cellsMeant();
    if (cells.length > 0) await failIfAsked();
    for (const id of cells)
      for (const [vectorId, text_hash] of await objectOf(id).existingVectors(ids))
        found.push({ id: vectorId, values: [], metadata: { text_hash: text_hash ?? "" } });
    return found;
  },
  async deleteByIds(ids) {
    if (await isCalledAt("d1")) await bindings.VECTORIZE.deleteByIds(ids);
    const cells = await cellsMeant();
    if (cells.length > 0) await failIfAsked();
    for (const id of cells) await objectOf(id).deleteVectors(ids);
  },
};

async function isCalledAt(place: Place): Promise<boolean> {
  const store = called.getStore();
  return store === undefined || store === place;
}

async function cellsMeant(): Promise<string[]> {
  const place = called.getStore();
  if (place === "d1") return [];
  return place === undefined ? await cellsOfTest() : [place];
}

async function cellOfNamespace(namespace: string): Promise<AnsweringCell | null> {
  const place = called.getStore();
  if (place === "d1") return null;
  const isCell = place === namespace || (await cellsOfTest()).includes(namespace);
  if (!isCell) return null;
  await failIfAsked();
  return objectOf(namespace);
}

/** Cells that answer with the bindings of a service under test. Their databases are those of the objects. */
export function cellsWith(
  env: Env,
  {
    fetch,
    waitUntil,
    replaced,
  }: { fetch: ServiceFetch; waitUntil: (work: Promise<unknown>) => void; replaced: Partial<Env> },
): NonNullable<Env["CELLS"]> {
  const namespace: NonNullable<Env["CELLS"]> = {
    jurisdiction: () => ({
      ...namespace,
      getByName: (id) => {
        elsewhere.add(id);
        return namespace.getByName(id);
      },
    }),
    getByName: (id) => {
      const cell = objectOf(id);
      const db = databaseAt(id, env.DB);
      const store = vectorizeStore(vectorsAt(id, env.VECTORIZE));
      const vectors: Omit<AnsweringCell, "run" | "answer" | "state"> = {
        upsertVectors: (of) => store.upsert(id, of),
        queryVectors: (...call) => store.query(id, ...call),
        existingVectors: (...call) => store.existing(...call),
        deleteVectors: (ids) => store.delete(ids),
        // A test that moves an organization runs the alarms itself.
        move: async () => {},
      };
      const answer: AnsweringCell["answer"] = (passed) => {
        const ofCell = {
          DB: db,
          DIRECTORY: databaseAt("d1", env.DB),
          CELL_VECTORS: cellStore(() => vectors),
        };
        return answerPassed(fetch, { ...env, ...ofCell }, passed, waitUntil);
      };
      const run: AnsweringCell["run"] =
        replaced.DB === undefined
          ? async (statements) => cell.run(statements)
          : (statements) => runOn(db, statements);
      return { run, answer, state: async () => cell.state(), ...vectors };
    },
  };
  return namespace;
}

async function runOn(db: D1Database, statements: Parameters<AnsweringCell["run"]>[0]): Promise<Outcome> {
  const kind = statements.length === 1 && areReads(statements) ? "query" : "batch";
  try {
    return { results: (await sendCall(db, { kind, statements })).map(toStatementResult) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { error: message.replace(/^(?:D1_ERROR: )+/, "") };
  }
}

function toStatementResult({ results, meta }: Result): StatementResult {
  const rows = results as Record<string, Value>[];
  const columns = Object.keys(rows[0] ?? {});
  return {
    columns,
    rows: rows.map((row) => columns.map((name) => row[name] ?? null)),
    meta: meta as StatementResult["meta"],
  };
}

/** The bindings of a service under test, of which a test has replaced some. */
export function placedEnv(
  env: Env,
  replaced: Partial<Env>,
  parts: { fetch: ServiceFetch; waitUntil: (work: Promise<unknown>) => void },
): Env {
  const all = { ...env, ...replaced };
  const cells = "CELLS" in replaced ? replaced.CELLS : cellsWith(all, { ...parts, replaced });
  return {
    ...all,
    CELLS: cells,
    DB: databaseAt("d1", all.DB),
    VECTORIZE: vectorsAt("d1", all.VECTORIZE),
  };
}
