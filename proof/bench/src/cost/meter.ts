// Runs inside the product's Worker, with counters around its bindings.
import {
  type Database,
  interceptCalls,
  type Result,
} from "../../../../service/src/platform/database-calls.ts";

/** Use of Cloudflare's resources, in the units of its price lists. */
export type Usage = ReturnType<typeof noUsage>;

export const noUsage = () => ({
  requests: 0,
  sweeps: 0,
  statements: 0,
  /** Largest number of statements in one invocation. */
  statementsMost: 0,
  /** As reported by D1, without `keyRowsRead`. */
  rowsRead: 0,
  rowsWritten: 0,
  /**
   * Rows written to the tables in which FTS5 keeps the keyword index, and which `rowsWritten` does not include. Cloudflare
   * may bill them.
   */
  ftsRowsWritten: 0,
  /** Rows written by table, including its indexes. */
  writtenTo: {} as Record<string, number>,
  /** Database lookups of API keys. An isolate caches keys for 5 seconds, so the number depends on time. */
  keyLookups: 0,
  keyRowsRead: 0,
  /** Size of the database after the last statement; 0 without statements. */
  databaseBytes: 0,
  aiCalls: 0,
  texts: 0,
  tokens: 0,
  vectorsWritten: 0,
  /** Number of query vectors. */
  vectorsQueried: 0,
  vectorsDeleted: 0,
  logLines: 0,
  logBytes: 0,
});

/**
 * WordPiece tokens per match of `WORDS`: bge's vocabulary (BERT's, uncased) over LoCoMo's turns. For English;
 * other languages need more, up to a token per letter.
 */
const TOKENS_PER_WORD = 1.02;
const WORDS = /[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu;
/** Special tokens that the model adds to each text. */
const TOKENS_AROUND = 2;

/** Estimate of the tokens that the embedding model counts for a text. */
export const countTokens = (text: string): number =>
  TOKENS_AROUND + TOKENS_PER_WORD * (text.match(WORDS)?.length ?? 0);

export interface Bindings {
  DB: Database;
  AI: { run(model: string, input: { text: string[] }): Promise<unknown> };
  VECTORIZE: {
    upsert(vectors: unknown[]): Promise<unknown>;
    query(vector: number[], options: unknown): Promise<unknown>;
    deleteByIds(ids: string[]): Promise<unknown>;
    getByIds(ids: string[]): Promise<unknown>;
  };
}

/** Wrap bindings so that their use is added to `usage`. Each invocation needs its own set. */
export function meterBindings<Env extends Bindings>(env: Env, usage: Usage): Env {
  return {
    ...env,
    DB: meterDatabase(env.DB, usage),
    AI: meterModel(env.AI, usage),
    VECTORIZE: meterIndex(env.VECTORIZE, usage),
  };
}

function meterDatabase(db: Database, usage: Usage): Database {
  let invocationStatements = 0;
  return interceptCalls(db, async ({ statements }, send) => {
    const results = await send();
    usage.statements += statements.length;
    invocationStatements += statements.length;
    usage.statementsMost = Math.max(usage.statementsMost, invocationStatements);
    for (const [i, { meta }] of results.entries()) addRows(usage, meta, statements[i]?.sql ?? "");
    return results;
  });
}

function addRows(usage: Usage, meta: Result["meta"], sql: string): void {
  usage.databaseBytes = meta.size_after;
  if (/^\s*SELECT\b/.test(sql) && /\bk\.secret_hash = /.test(sql)) {
    usage.keyLookups += 1;
    usage.keyRowsRead += meta.rows_read;
    return;
  }
  usage.rowsRead += meta.rows_read;
  usage.rowsWritten += meta.rows_written;
  // `POST /meter` adds all changes that SQLite counted. What remains without the statements' own is FTS5's, except for
  // the words that it writes during a later statement of the same batch.
  usage.ftsRowsWritten -= isKeywordIndex(sql) ? meta.rows_written : meta.changes;
  if (meta.rows_written === 0) return;
  const table = tableOf(sql);
  usage.writtenTo[table] = (usage.writtenTo[table] ?? 0) + meta.rows_written;
}

const tableOf = (sql: string): string =>
  /\b(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM)\s+(\w+)/.exec(sql)?.[1] ?? "?";

const isKeywordIndex = (sql: string): boolean => /^message_(words|phrases)$/.test(tableOf(sql));

/** All rows that SQLite has changed since the database was opened, among them those of FTS5's own tables. */
async function totalChanges(db: Database): Promise<number> {
  const { results } = await db.prepare("SELECT total_changes() AS changes").all();
  return (results[0] as { changes: number }).changes;
}

function meterModel(ai: Bindings["AI"], usage: Usage): Bindings["AI"] {
  return {
    run(model, input) {
      usage.aiCalls += 1;
      usage.texts += input.text.length;
      for (const text of input.text) usage.tokens += countTokens(text);
      return ai.run(model, input);
    },
  };
}

function meterIndex(index: Bindings["VECTORIZE"], usage: Usage): Bindings["VECTORIZE"] {
  return {
    upsert(vectors) {
      usage.vectorsWritten += vectors.length;
      return index.upsert(vectors);
    },
    query(vector, options) {
      usage.vectorsQueried += 1;
      return index.query(vector, options);
    },
    deleteByIds(ids) {
      usage.vectorsDeleted += ids.length;
      return index.deleteByIds(ids);
    },
    getByIds: (ids) => index.getByIds(ids),
  };
}

interface ExecutionContext {
  waitUntil(work: Promise<unknown>): void;
  exports: {
    Background: {
      index(due: unknown): Promise<boolean>;
      enrich(): Promise<boolean>;
      summarize(): Promise<boolean>;
      deleteVectors(): Promise<boolean>;
    };
  };
}

interface Handlers<Env> {
  fetch(request: Request, env: Env, ctx: ExecutionContext): Response | Promise<Response>;
  scheduled(controller: unknown, env: Env, ctx: ExecutionContext): Promise<void>;
}

export interface Worker<Env> {
  handlers: Handlers<Env>;
  index(due: unknown, env: Env, ctx: ExecutionContext): Promise<boolean>;
  enrich(env: Env, ctx: ExecutionContext): Promise<boolean>;
  summarize(env: Env, ctx: ExecutionContext): Promise<boolean>;
  deleteVectors(env: Env, ctx: ExecutionContext): Promise<boolean>;
}

/**
 * Wrap a Worker with counters. Adds three routes: `POST /meter` returns the usage since the last call and
 * resets it; `POST /meter/pass?ms=N` moves the clock forward; `POST /meter/sweep` runs the cron.
 *
 * Every response waits for the work after the response, as if the next request arrived later.
 */
export function meterWorker<Env extends Bindings>(
  worker: Worker<Env>,
  vars: Record<string, string>,
): Pick<Handlers<Env>, "fetch"> {
  let usage = noUsage();
  let changesBefore = 0;
  meterLog(() => usage);
  const { now } = Date;
  let passedMs = 0;
  Date.now = () => now() + passedMs;
  return {
    async fetch(request, env) {
      const url = new URL(request.url);
      if (url.pathname === "/meter") {
        const changes = await totalChanges(env.DB);
        const taken = { ...usage, ftsRowsWritten: usage.ftsRowsWritten + changes - changesBefore };
        changesBefore = changes;
        usage = noUsage();
        return Response.json(taken);
      }
      if (url.pathname === "/meter/pass") {
        passedMs += Number(url.searchParams.get("ms"));
        return new Response(null, { status: 204 });
      }
      const deferred: Promise<unknown>[] = [];
      const ctx: ExecutionContext = {
        waitUntil: (work) => void deferred.push(work),
        // Cloudflare does not bill the calls of a Worker to itself as requests.
        exports: {
          Background: {
            index: (due) => worker.index(due, metered, ctx),
            enrich: () => worker.enrich(metered, ctx),
            summarize: () => worker.summarize(metered, ctx),
            deleteVectors: () => worker.deleteVectors(metered, ctx),
          },
        },
      };
      const metered = meterBindings({ ...env, ...vars }, usage);
      let response: Response;
      if (url.pathname === "/meter/sweep") {
        usage.sweeps += 1;
        await worker.handlers.scheduled({}, metered, ctx);
        response = new Response(null, { status: 204 });
      } else {
        usage.requests += 1;
        response = await worker.handlers.fetch(request, metered, ctx);
      }
      // The list may grow during the loop, because deferred work may defer more.
      for (const work of deferred) await work;
      return response;
    },
  };
}

function meterLog(usage: () => Usage): void {
  for (const level of ["log", "warn", "error"] as const) {
    const write = console[level];
    console[level] = (line: unknown) => {
      usage().logLines += 1;
      usage().logBytes += new TextEncoder().encode(String(line)).byteLength;
      write(line);
    };
  }
}
