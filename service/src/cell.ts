import { cellWork, leaveReceipts } from "./cell-queries.ts";
import type { Env, InvocationEnv, Isolate } from "./invocation.ts";
import { createInvocation, runLogged } from "./isolate.ts";
import { report } from "./organizations/service.ts";
import { toDatabase } from "./platform/cell-database.ts";
import { migrate } from "./platform/cell-migrations.ts";
import { areReads, type BoundStatement, CellStorage, type Outcome } from "./platform/cell-storage.ts";
import { createLog } from "./platform/log.ts";
import { run } from "./platform/sql.ts";
import { type Invocations, sweep } from "./sweep.ts";

/** Time from a write to the sweep, as long as between two crons. */
const SWEEP_MS = 60_000;
/** Longest time between two sweeps of an organization that is idle, for what expires. */
const IDLE_SWEEP_MS = 86_400_000;

/**
 * The database of one organization, whose id is its name, and its periodic work. The Worker prepares statements and sends
 * those of a transaction in one call, so that no request computes here, where it would hold up the others.
 *
 * Between calls nothing keeps it in memory: its sweep is an alarm.
 */
export class OrganizationCell {
  readonly #state: DurableObjectState;
  readonly #storage: CellStorage;
  readonly #environment: InvocationEnv;
  readonly #invocations: (environment: InvocationEnv) => Invocations;
  /** Whether a sweep is planned or running. Undefined if that is not known. */
  #isPlanned: boolean | undefined;

  constructor(
    state: DurableObjectState,
    env: Env,
    isolate: Isolate,
    invocations: (environment: InvocationEnv) => Invocations,
  ) {
    this.#state = state;
    this.#storage = new CellStorage(state.storage);
    this.#invocations = invocations;
    const db = toDatabase((statements) => this.run(statements));
    this.#environment = {
      isolate,
      env: { ...env, DB: db, DIRECTORY: env.DB },
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
    if (this.#isPlanned !== true && !("error" in outcome) && !areReads(statements))
      await this.#plan(SWEEP_MS);
    return outcome;
  }

  /** Runs all periodic work of the organization, and plans the next sweep. */
  async alarm(): Promise<void> {
    this.#isPlanned = true;
    const environment = this.#environment;
    await runLogged(environment, "sweep", (service) => sweep(service, this.#invocations(environment)));
    const invocation = createInvocation(environment, true);
    const { organizationId = "" } = environment;
    const nowMs = environment.isolate.runtime.nowMs();
    const { isUsed, dueAtMs } = await run(invocation.db, cellWork(nowMs));
    if (!isUsed) return this.#erase();
    await report(invocation, organizationId);
    const afterMs = Math.min(
      Math.max((dueAtMs ?? Number.POSITIVE_INFINITY) - nowMs, SWEEP_MS),
      IDLE_SWEEP_MS,
    );
    this.#isPlanned = false;
    await this.#plan(afterMs);
  }

  async #plan(afterMs: number): Promise<void> {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    const { storage } = this.#state;
    if ((await storage.getAlarm()) === null)
      await storage.setAlarm(this.#environment.isolate.runtime.nowMs() + afterMs);
  }

  /** Removes the database of an organization that was deleted, after what is kept of it is in the directory. */
  async #erase(): Promise<void> {
    const { db, directory } = createInvocation(this.#environment, true);
    await leaveReceipts(db, directory, this.#environment.organizationId ?? "");
    await this.#state.storage.deleteAll();
    this.#state.abort("erased");
  }
}
