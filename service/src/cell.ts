import { answerPassed, type ServiceFetch } from "./cell-answers.ts";
import { cellWork, leaveReceipts } from "./cell-queries.ts";
import type { CellAnswer, CellState, Env, InvocationEnv, Isolate, PassedRequest } from "./invocation.ts";
import { createInvocation, runLogged } from "./isolate.ts";
import { Mover } from "./moves/mover.ts";
import { report } from "./organizations/service.ts";
import { toDatabase } from "./platform/cell-database.ts";
import { migrate } from "./platform/cell-migrations.ts";
import { areReads, type BoundStatement, CellStorage, type Outcome } from "./platform/cell-storage.ts";
import { OverflowingVectors } from "./platform/cell-vectors/overflow.ts";
import { CellVectors } from "./platform/cell-vectors/store.ts";
import { createLog } from "./platform/log.ts";
import { MOVING } from "./platform/places.ts";
import { drawFraction } from "./platform/runtime.ts";
import { run } from "./platform/sql.ts";
import { guardedStore, type VectorStore, vectorizeStore } from "./platform/vectors.ts";
import { type Invocations, sweep } from "./sweep.ts";

/** Time from a write to the sweep, as long as between two crons. */
const SWEEP_MS = 60_000;
/** Shortest time from a sweep to the next one for what becomes due. */
const DUE_MIN_MS = 10_000;
/** Time after which a move continues that has failed, perhaps while writes were refused. */
const MOVE_RETRY_MS = 1_000;
/** Longest time between two sweeps of an organization that is idle, for what expires. */
const IDLE_SWEEP_MS = 86_400_000;
/** An idle sweep comes earlier by a random part of this, so that cells that were created together do not sweep together. */
const IDLE_SPREAD_MS = IDLE_SWEEP_MS / 4;

/** Vectors that a sweep brings back from the shared store, in twenty calls at once or fewer. */
const BRING_BACK_VECTORS = 1_000;

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
  readonly #overflowing: OverflowingVectors;
  readonly #mover: Mover;
  /** When the last sweep began. */
  #sweptMs = 0;
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
    const vectors = new OverflowingVectors(state.storage, {
      cell,
      shared: vectorizeStore(env.VECTORIZE),
      copies: () => this.#mover.copies,
    });
    this.vectors = guardedStore(vectors);
    this.#overflowing = vectors;
    this.#mover = new Mover(state.storage, { organizationId: state.id.name ?? "", vectors });
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
    if (!(await this.#admits())) return { error: MOVING };
    const outcome = this.#storage.run(statements);
    if (!("error" in outcome) && !areReads(statements)) await this.#plan(SWEEP_MS);
    return outcome;
  }

  /** Answers a request that the Worker passes. */
  async answer(passed: PassedRequest): Promise<CellAnswer> {
    if (!(await this.#admits())) throw new Error(MOVING);
    const { env, waitUntil } = this.#environment;
    return answerPassed(this.#shared.fetch, env, passed, waitUntil);
  }

  /** Begins or continues a move of the organization here, or to D1. */
  async move(): Promise<void> {
    this.#mover.begin();
    await this.#plan(0);
  }

  /** Whether the organization is here. It counts as elsewhere if D1, which must be asked while it moves, does not answer. */
  async #admits(): Promise<boolean> {
    if (!this.#mover.isActive) return true;
    try {
      return await this.#mover.admits(createInvocation(this.#environment, true));
    } catch (error) {
      this.#environment.log.error("call refused", error);
      return false;
    }
  }

  async state(): Promise<CellState> {
    const { sql } = this.#state.storage;
    return { sizeBytes: sql.databaseSize, sweepMs: await this.#state.storage.getAlarm() };
  }

  /** Runs all periodic work of the organization, and plans the next sweep. */
  async alarm(): Promise<void> {
    this.#plannedMs = null;
    // A move that fails for long, because a store is down, does not hold up the sweep.
    const isErased =
      (await this.#attempt("move failed", () => this.#continueMove(), MOVE_RETRY_MS)) ||
      (await this.#attempt("sweep failed", () => this.#sweepIfDue(), SWEEP_MS));
    // Also ends requests that are under way. They find nothing when they are repeated.
    if (isErased) this.#state.abort("Durable Object reset because its organization was deleted.");
  }

  /** Resolves to whether the cell was erased. If the work fails, it is repeated after that time. */
  async #attempt(failed: string, work: () => Promise<boolean>, retryMs: number): Promise<boolean> {
    try {
      return await work();
    } catch (error) {
      // Cloudflare would repeat the alarm for some minutes only, and D1 may be down for longer.
      this.#environment.log.error(failed, error);
      await this.#plan(retryMs);
      return false;
    }
  }

  /** Resolves to whether the cell was erased. */
  async #continueMove(): Promise<boolean> {
    // As a request: if it gave way to all of them, it would not end while many come.
    const next = await this.#mover.run(createInvocation(this.#environment));
    if (next === "erase") {
      await this.#state.storage.deleteAll();
      try {
        await this.#mover.finish(createInvocation(this.#environment, true));
      } catch (error) {
        // The sweep of D1 calls this cell again, which then ends the move. Until it is reset, it has no tables.
        this.#environment.log.error("move not ended", error);
      }
      return true;
    }
    if (next !== null) await this.#plan(next.afterMs);
    return false;
  }

  /** The alarm of a move comes more often than a sweep is due. Resolves to whether the cell was erased. */
  async #sweepIfDue(): Promise<boolean> {
    if (!this.#mover.isHere) return false;
    const nowMs = this.#environment.isolate.runtime.nowMs();
    const waitMs = this.#mover.isActive ? this.#sweptMs + SWEEP_MS - nowMs : 0;
    if (waitMs > 0) {
      await this.#plan(waitMs);
      return false;
    }
    this.#sweptMs = nowMs;
    return this.#sweep();
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
    const measured = { sizeBytes: this.#state.storage.sql.databaseSize, sweptAtMs: nowMs };
    const isListed = isUsed && (await report(invocation, organizationId, measured));
    // What a move still removes from D1 would include the receipts that the erasure leaves there.
    if ((!isUsed || (isUnused && !isListed)) && !this.#mover.isActive) {
      await this.#erase();
      return true;
    }
    if (await this.#bringBack()) await this.#plan(SWEEP_MS);
    const untilDueMs = (dueAtMs ?? Number.POSITIVE_INFINITY) - nowMs;
    // What is due already is what this sweep failed to do, or has more of.
    const afterMs = untilDueMs > 0 ? Math.max(untilDueMs, DUE_MIN_MS) : SWEEP_MS;
    const idleMs = IDLE_SWEEP_MS - drawFraction(environment.isolate.runtime) * IDLE_SPREAD_MS;
    await this.#plan(isListed ? Math.min(afterMs, idleMs) : SWEEP_MS);
    return false;
  }

  /** If this fails, the next sweep tries again. Resolves to whether more may follow. */
  async #bringBack(): Promise<boolean> {
    if (!this.#overflowing.hasLag) return false;
    const moved = (): Promise<boolean> => this.#overflowing.bringBack(BRING_BACK_VECTORS);
    return (await runLogged(this.#environment, "bring back vectors", moved)) ?? true;
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
