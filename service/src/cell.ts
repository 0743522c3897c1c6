import { answerPassed, type ServiceFetch } from "./cell-answers.ts";
import { cellWork, leaveReceipts } from "./cell-queries.ts";
import type { CellAnswer, Env, InvocationEnv, Isolate, PassedRequest } from "./invocation.ts";
import { createInvocation, runLogged } from "./isolate.ts";
import { report } from "./organizations/service.ts";
import { toDatabase } from "./platform/cell-database.ts";
import { migrate } from "./platform/cell-migrations.ts";
import { areReads, type BoundStatement, CellStorage, type Outcome } from "./platform/cell-storage.ts";
import { OverflowingVectors } from "./platform/cell-vectors/overflow.ts";
import { CellVectors } from "./platform/cell-vectors/store.ts";
import { createLog } from "./platform/log.ts";
import { run } from "./platform/sql.ts";
import { guardedStore, type VectorStore, vectorizeStore } from "./platform/vectors.ts";
import { type Invocations, sweep } from "./sweep.ts";

/** Time from a write to the sweep, as long as between two crons. */
const SWEEP_MS = 60_000;
/** Longest time between two sweeps of an organization that is idle, for what expires. */
const IDLE_SWEEP_MS = 86_400_000;

/** What the objects of an isolate share with its Worker. */
interface Shared {
  isolate: Isolate;
  fetch: ServiceFetch;
  background(environment: InvocationEnv): Invocations;
  /** The module of scan-int8.wasm. */
  scan: WebAssembly.Module;
}

/**
 * The database of one organization, whose id is its name, and its periodic work. The Worker prepares the statements of a
 * write and sends those of a transaction in one call, so that no write computes here, where it would hold up other
 * requests. A request that only reads runs here, because it would need several calls.
 *
 * Between calls nothing keeps it in memory: its sweep is an alarm.
 */
export class OrganizationCell {
  readonly vectors: VectorStore;
  readonly #state: DurableObjectState;
  readonly #storage: CellStorage;
  readonly #environment: InvocationEnv;
  readonly #shared: Shared;
  /** When the next sweep begins; null if none is planned, undefined if that is not known. */
  #plannedMs: number | null | undefined;

  constructor(state: DurableObjectState, env: Env, shared: Shared) {
    const { isolate, scan } = shared;
    this.#state = state;
    this.#storage = new CellStorage(state.storage);
    this.#shared = shared;
    // What a sweep writes plans no other one: it says itself when that is due.
    const db = toDatabase((statements) => this.#storage.run(statements));
    const cell = new CellVectors(state.storage, { scan, dimensions: Number(env.EMBEDDING_DIMENSIONS) });
    const vectors = new OverflowingVectors(state.storage, { cell, shared: vectorizeStore(env.VECTORIZE) });
    this.vectors = guardedStore(vectors);
    this.#environment = {
      isolate,
      env: { ...env, DB: db, DIRECTORY: env.DB, CELL_VECTORS: this.vectors },
      organizationId: state.id.name ?? "",
      log: createLog(isolate.runtime),
      waitUntil: (work) => state.waitUntil(work),
    };
    // One that is called after its erasure is erased again by its sweep.
    if (migrate(state.storage)) state.waitUntil(this.#plan(SWEEP_MS));
  }

  /** Runs the statements in one transaction. */
  async run(statements: BoundStatement[]): Promise<Outcome> {
    const outcome = this.#storage.run(statements);
    if (!("error" in outcome) && !areReads(statements)) await this.#plan(SWEEP_MS);
    return outcome;
  }

  /** Answers a request that the Worker passes. */
  answer(passed: PassedRequest): Promise<CellAnswer> {
    const { env, waitUntil } = this.#environment;
    return answerPassed(this.#shared.fetch, env, passed, waitUntil);
  }

  /** Runs all periodic work of the organization, and plans the next sweep. */
  async alarm(): Promise<void> {
    this.#plannedMs = null;
    let isErased = false;
    try {
      isErased = await this.#sweep();
    } catch (error) {
      // Cloudflare would repeat the alarm for some minutes only, and D1 may be down for longer.
      this.#environment.log.error("sweep failed", error);
      await this.#plan(SWEEP_MS);
    }
    // Also ends requests that are under way. They find nothing when they are repeated.
    if (isErased) this.#state.abort("Durable Object reset because its organization was deleted.");
  }

  /** Resolves to whether the cell was erased. */
  async #sweep(): Promise<boolean> {
    const environment = this.#environment;
    await runLogged(environment, "sweep", (service) => sweep(service, this.#shared.background(environment)));
    const invocation = createInvocation(environment, true);
    const { organizationId = "" } = environment;
    const nowMs = environment.isolate.runtime.nowMs();
    const { isUsed, isUnused, dueAtMs } = await run(invocation.db, cellWork(nowMs));
    // Nobody has the key of an organization whose creation the directory does not know.
    const isListed = isUsed && (await report(invocation, organizationId));
    if (!isUsed || (isUnused && !isListed)) {
      await this.#erase();
      return true;
    }
    const afterMs = Math.max((dueAtMs ?? Number.POSITIVE_INFINITY) - nowMs, SWEEP_MS);
    await this.#plan(isListed ? Math.min(afterMs, IDLE_SWEEP_MS) : SWEEP_MS);
    return false;
  }

  /** Plans a sweep, unless one is planned for then or earlier. */
  async #plan(afterMs: number): Promise<void> {
    const atMs = this.#environment.isolate.runtime.nowMs() + afterMs;
    const { storage } = this.#state;
    if (this.#plannedMs === undefined) {
      const storedMs = await storage.getAlarm();
      this.#plannedMs ??= storedMs;
    }
    if (this.#plannedMs !== null && this.#plannedMs <= atMs) return;
    this.#plannedMs = atMs;
    await storage.setAlarm(atMs);
  }

  /**
   * Removes the database of an organization that was deleted, after what is kept of it is in the directory, or of one that
   * was never listed.
   */
  async #erase(): Promise<void> {
    const { db, directory } = createInvocation(this.#environment, true);
    await leaveReceipts(db, directory, this.#environment.organizationId ?? "");
    await this.#state.storage.deleteAll();
  }
}
