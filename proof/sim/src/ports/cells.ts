import type { Jurisdiction } from "@engram/spec";
import type { OrganizationCell } from "../../../../service/src/cell.ts";
import type { AnsweringCell } from "../../../../service/src/invocation.ts";
import type { CellNamespace } from "../../../../service/src/platform/places.ts";
import type { Event } from "../clock.ts";
import type { CallBehavior, Invocation, SimulationContext } from "../invocation.ts";
import { nameOf } from "./d1.ts";
import { Database, type Rewrite } from "./database.ts";
import { objectStorage, type StorageOwner } from "./object-storage.ts";

/** Cloudflare's messages of errors that pass. */
const ERRORS = [
  "Network connection lost.",
  "Durable Object is overloaded. Requests queued for too long.",
  "Durable Object reset because its code was updated.",
  "Internal error in Durable Object storage caused object to be reset.",
  "Cannot resolve Durable Object due to transient issue on remote node.",
];
const RESET = "Internal error in Durable Object storage caused object to be reset.";

const BEHAVIOR: CallBehavior = {
  port: "cell",
  frequency: 1,
  normalMs: { low: 1, high: 8 },
  // As long as the service waits for it.
  slowMs: 30_000,
  outcomes: { slow: 2, refused: 3, unacknowledged: 3, late: 1, silent: 1 },
  error: (random) => new Error(random.pick(ERRORS)),
};

/** Frequencies relative to other faults: of resets at a call, and of those at a commit of an alarm. */
const RESET_FREQUENCY = 0.3;
const COMMIT_RESET_FREQUENCY = 0.1;
/** An object that is not used for such a time leaves the memory. */
const IDLE_MS = { low: 10_000, high: 140_000 };
/** Cloudflare ends an alarm after 15 minutes, and repeats one that fails six times. */
const ALARM_MS = 900_000;
const ALARM_RETRIES = 6;
const RETRY_MS = 2_000;
/** An alarm is late by up to this time. */
const LATE_MS = 3_000;

/** Brings an object into memory. `onDeath` is called when it is lost from it. */
export type OpenObject = (
  name: string,
  onDeath: () => void,
  construct: (invocation: Invocation) => DurableObjectState,
) => { invocation: Invocation; cell: OrganizationCell };

/** What all objects share. */
interface Surroundings extends SimulationContext {
  start(work: () => Promise<void>): Promise<void>;
}

/** The cells of a run, each with its storage, which outlives its object. */
export class Cells {
  readonly #objects = new Map<string, CellObject>();
  readonly #context: Surroundings;
  readonly #rewrite: Rewrite;
  readonly #open: OpenObject;

  constructor(context: Surroundings, rewrite: Rewrite, open: OpenObject) {
    this.#context = context;
    this.#rewrite = rewrite;
    this.#open = open;
  }

  /** The `CELLS` binding of one invocation, or its part of a jurisdiction, in which all objects are others. */
  binding(invocation: Invocation, jurisdiction: Jurisdiction | null = null): CellNamespace<AnsweringCell> {
    return {
      getByName: (id) => this.#stub(invocation, id, jurisdiction),
      jurisdiction: (name) => this.binding(invocation, name),
    };
  }

  /** The storages that are not empty, by organization. */
  databases(): [organizationId: string, database: Database][] {
    return [...this.#objects.values()].flatMap(({ id, database }) =>
      database === null ? [] : [[id, database]],
    );
  }

  databaseOf(organizationId: string): Database | null {
    return this.#find(organizationId)?.database ?? null;
  }

  /** Fires the planned alarm of a cell now, as if an earlier write had planned it. */
  hasten(organizationId: string): void {
    this.#find(organizationId)?.hasten();
  }

  /** The object of an organization, in any jurisdiction. */
  #find(organizationId: string): CellObject | undefined {
    return [...this.#objects.values()].find(({ id }) => id === organizationId);
  }

  close(): void {
    for (const { database } of this.#objects.values()) database?.close();
  }

  /** A stub fails once the object that it has called is reset. */
  #stub(invocation: Invocation, id: string, jurisdiction: Jurisdiction | null): AnsweringCell {
    let called: object | null = null;
    const call = async <T>(name: string, work: (cell: OrganizationCell) => Promise<T>): Promise<T> =>
      await invocation.call(BEHAVIOR, name, () => {
        const object = this.#objectOf(id, jurisdiction);
        object.resetBy("a call");
        const living = object.wake();
        called ??= living;
        if (called !== living) throw new Error(RESET);
        const outcome = object.call(work);
        // Of a call whose answer is lost, nobody sees the error.
        outcome.catch(() => {});
        return outcome;
      });
    return {
      run: (statements) => call(nameOf("cell", statements), (cell) => cell.run(statements)),
      state: () => call("cell(state)", (cell) => cell.state()),
      answer: (passed) => call(`cell(${passed.method})`, (cell) => cell.answer(passed)),
      upsertVectors: (vectors) => call("cell(upsert)", ({ vectors: store }) => store.upsert(id, vectors)),
      queryVectors: (vector, filter, timeoutMs) =>
        call("cell(query)", ({ vectors: store }) => store.query(id, vector, filter, timeoutMs)),
      existingVectors: (ids, timeoutMs) =>
        call("cell(get)", ({ vectors: store }) => store.existing(ids, timeoutMs)),
      deleteVectors: (ids) => call("cell(delete)", ({ vectors: store }) => store.delete(ids)),
      move: () => call("cell(move)", (cell) => cell.move()),
    };
  }

  #objectOf(id: string, jurisdiction: Jurisdiction | null): CellObject {
    const key = `${id} ${jurisdiction}`;
    let object = this.#objects.get(key);
    if (object === undefined) {
      object = new CellObject(id, this.#context, this.#rewrite, this.#open);
      this.#objects.set(key, object);
    }
    return object;
  }
}

/** An object in memory. */
type Living = ReturnType<OpenObject>;

/** A Durable Object: its storage and alarm, and the object in memory, if there is one. */
class CellObject {
  /** The id of its organization. */
  readonly id: string;
  readonly #context: Surroundings;
  readonly #rewrite: Rewrite;
  readonly #openObject: OpenObject;
  #storage: Database | null = null;
  /** Whether the tables of the storage exist, which an object makes before anything else. */
  #isWatched = false;
  #living: Living | null = null;
  /** When it leaves the memory, unless it is used. */
  #idleMs = 0;
  #alarmMs: number | null = null;
  #firing: Event | null = null;
  /** Whether the alarm is running, and whether another one was set since it began. */
  #isRunning = false;
  #isSetAgain = false;
  #failures = 0;

  constructor(id: string, context: Surroundings, rewrite: Rewrite, openObject: OpenObject) {
    this.id = id;
    this.#context = context;
    this.#rewrite = rewrite;
    this.#openObject = openObject;
  }

  /** Null if the storage is empty. */
  get database(): Database | null {
    return this.#isWatched ? this.#storage : null;
  }

  wake(): Living {
    const { clock, random } = this.#context;
    if (this.#living !== null && !this.#isRunning && clock.nowMs() > this.#idleMs)
      this.#living.invocation.die("not used");
    this.#idleMs = clock.nowMs() + random.between(IDLE_MS.low, IDLE_MS.high);
    if (this.#living !== null) return this.#living;
    this.#living = this.#openObject(
      `cell ${this.id.slice(-4)}`,
      () => this.#onDeath(),
      (invocation) => this.#stateFor(invocation),
    );
    // Also of an object that has written after it was erased, and of which only the tables are missing.
    if (!this.#isWatched) this.#storage?.watch();
    this.#isWatched = true;
    return this.#living;
  }

  async call<T>(work: (cell: OrganizationCell) => Promise<T>): Promise<T> {
    const { cell, invocation } = this.wake();
    const outcome = await work(cell);
    const { error } = Object(outcome) as { error?: string };
    if (error !== undefined) invocation.note(`answers ${error.slice(0, 200)}`);
    // Not before it has planned its alarm: what an object writes without waiting is committed as a whole.
    this.resetBy("its answer");
    return outcome;
  }

  /** Perhaps resets the object, which loses its memory and keeps its storage. */
  resetBy(what: string): void {
    const { clock, faults } = this.#context;
    if (this.#living !== null && faults.occurs("cell", clock.nowMs(), RESET_FREQUENCY))
      this.#living.invocation.die(`reset by ${what}`);
  }

  hasten(): void {
    if (this.#alarmMs !== null && !this.#isRunning) this.#schedule(0);
  }

  #stateFor(invocation: Invocation): DurableObjectState {
    const { clock, faults, random } = this.#context;
    const reset = (why: string): never => {
      invocation.die(why);
      throw new Error(RESET);
    };
    const checkAlive = () => {
      if (invocation.isDead) throw new Error(RESET);
    };
    const owner: StorageOwner = {
      database: () => {
        this.#storage ??= Database.empty(this.#rewrite);
        return this.#storage;
      },
      checkAlive,
      onCommit: (when) => {
        if (when === "after" && this.#isWatched) this.#context.onEffect();
        const isHit = this.#isRunning && faults.occurs("cell", clock.nowMs(), COMMIT_RESET_FREQUENCY);
        if (isHit && random.chance(0.5)) reset(`reset ${when} a commit of its alarm`);
      },
      getAlarm: () => (this.#isRunning && !this.#isSetAgain ? null : this.#alarmMs),
      setAlarm: (atMs) => this.#setAlarm(atMs),
      deleteAll: () => {
        invocation.note("is erased");
        this.#storage?.close();
        this.#storage = null;
        this.#isWatched = false;
        this.#setAlarm(null);
      },
    };
    const state = {
      id: { name: this.id },
      storage: objectStorage(owner),
      waitUntil: (work: Promise<unknown>) => void work.catch(() => {}),
      abort: (why: string) => reset(`aborts: ${why}`),
    };
    return state as unknown as DurableObjectState;
  }

  #setAlarm(atMs: number | null): void {
    this.#alarmMs = atMs;
    this.#isSetAgain = true;
    this.#failures = 0;
    if (!this.#isRunning) this.#scheduleStored();
  }

  #scheduleStored(): void {
    const { clock, random } = this.#context;
    if (this.#firing !== null) this.#firing.isOff = true;
    if (this.#alarmMs === null) return;
    this.#schedule(Math.max(0, this.#alarmMs - clock.nowMs()) + random.between(0, LATE_MS));
  }

  #schedule(delayMs: number): void {
    if (this.#firing !== null) this.#firing.isOff = true;
    this.#firing = this.#context.clock.schedule(delayMs, () => this.#fire());
  }

  #fire(): void {
    const { clock, faults } = this.#context;
    const living = this.wake();
    const { cell, invocation } = living;
    this.#isRunning = true;
    this.#isSetAgain = false;
    invocation.note("alarm begins");
    const limit = clock.schedule(ALARM_MS, () => invocation.die("15 minutes are over"));
    void this.#context.start(async () => {
      const error = await cell.alarm().then(
        () => null,
        (error: unknown) => error,
      );
      limit.isOff = true;
      if (invocation.isDead) return;
      // Done, but Cloudflare does not get to know it.
      if (faults.occurs("cell", clock.nowMs(), RESET_FREQUENCY))
        return invocation.die("reset after its alarm");
      invocation.note(error === null ? "alarm ends" : `alarm fails: ${String(error).slice(0, 200)}`);
      if (error !== null) this.#failures += 1;
      this.#endAlarm(error === null || this.#failures > ALARM_RETRIES);
    });
  }

  #onDeath(): void {
    this.#living = null;
    if (this.#isRunning) this.#endAlarm(false);
  }

  /** @param isOver Whether it is not repeated. Another one that was set meanwhile is fired in any case. */
  #endAlarm(isOver: boolean): void {
    this.#isRunning = false;
    if (this.#isSetAgain) this.#scheduleStored();
    else if (isOver) this.#alarmMs = null;
    else this.#schedule(RETRY_MS * 2 ** this.#failures);
  }
}
