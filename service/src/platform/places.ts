import { toDatabase } from "./cell-database.ts";
import type { BoundStatement, Outcome } from "./cell-storage.ts";
import { type CallInterceptor, sendCall } from "./database-calls.ts";
import { type FindResidence, IN_D1, type ObjectNamespace, objectOf, type Residence } from "./objects.ts";
import { explainError } from "./older-cells.ts";
import type { Runtime } from "./runtime.ts";
import { row, run, type Statement, sql } from "./sql.ts";
import {
  guardedStore,
  type StoredVector,
  type VectorFilter,
  type VectorMatch,
  type VectorStore,
} from "./vectors.ts";

/** The Durable Object that holds the rows of an organization, as the Worker calls it. */
export interface Cell {
  /** Runs the statements in one transaction. */
  run(statements: BoundStatement[]): Promise<Outcome>;
  upsertVectors(vectors: StoredVector[]): Promise<void>;
  queryVectors(vector: number[], filter: VectorFilter, timeoutMs?: number): Promise<VectorMatch[]>;
  existingVectors(ids: string[], timeoutMs?: number): Promise<Map<string, string | null>>;
  deleteVectors(ids: string[]): Promise<void>;
  /** Begins or continues a move of the organization to the cell, or to D1. */
  move(): Promise<void>;
}

export type CellNamespace<OneCell extends Cell = Cell> = ObjectNamespace<OneCell>;

/** Time for which an isolate remembers where an organization is. A move takes longer. */
const KNOWN_MS = 60_000;
const PLACES_MAX = 10_000;

/** What an isolate knows of the places of organizations. */
export class Places {
  readonly #known = new Map<string, { residence: Residence; untilMs: number }>();

  know(organizationId: string, residence: Residence, nowMs: number): void {
    // Old entries are of no use.
    if (this.#known.size >= PLACES_MAX) this.#known.clear();
    this.#known.set(organizationId, { residence, untilMs: nowMs + KNOWN_MS });
  }

  /** Null if it is not known. */
  get(organizationId: string, nowMs: number): Residence | null {
    const known = this.#known.get(organizationId);
    return known !== undefined && known.untilMs > nowMs ? known.residence : null;
  }

  forget(organizationId: string): void {
    this.#known.delete(organizationId);
  }

  /** An organization that does not exist is nowhere, and counts as in D1, where nothing of it is found. */
  async find(directory: D1Database, organizationId: string, nowMs: number): Promise<Residence> {
    const known = this.get(organizationId, nowMs);
    if (known !== null) return known;
    const found = await run(directory, residenceOf(organizationId));
    return found === null ? IN_D1 : this.learn(organizationId, found, nowMs);
  }

  /** Remembers what D1 says, unless the organization moves: then each call asks D1. */
  learn(organizationId: string, { isMoving, ...residence }: FoundResidence, nowMs: number): Residence {
    if (isMoving) this.forget(organizationId);
    else this.know(organizationId, residence, nowMs);
    return residence;
  }
}

export interface FoundResidence extends Residence {
  /** Whether it may be elsewhere at the next call. */
  isMoving: boolean;
}

/** Null if there is no such organization. */
export const residenceOf = (organizationId: string): Statement<FoundResidence | null> =>
  row(
    sql`SELECT coalesce(place, 'd1') AS place, jurisdiction, location,
               EXISTS (SELECT 1 FROM moves WHERE organization_id = organizations.id AND completed_at_ms IS NULL) AS is_moving
          FROM organizations WHERE id = ${organizationId}`,
    ({ is_moving, ...residence }: Residence & { is_moving: 0 | 1 }) => ({
      ...residence,
      isMoving: is_moving === 1,
    }),
  );

/** The error of a write that was refused because the organization moves. Nothing was written. */
export const isMovingError = (error: unknown): boolean => String(error).includes(MOVING);
/** The text of that error. */
export const MOVING = "refused:moving";

/** Calls are refused for at most two seconds. Time between two attempts, and in all. */
const MOVING_PAUSE_MS = 100;
const MOVING_MS = 3_000;

/** Repeats a call as long as it is refused because the organization moves, for some seconds. */
export async function whileMoving<T>(
  runtime: Pick<Runtime, "nowMs" | "pause">,
  call: () => Promise<T>,
): Promise<T> {
  const endMs = runtime.nowMs() + MOVING_MS;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isMovingError(error) || runtime.nowMs() >= endMs) throw error;
      await runtime.pause(MOVING_PAUSE_MS);
    }
  }
}

/** Sends the calls to the cell of the organization, if it is in one. Calls wait while the organization moves. */
export function routeCalls(
  cells: CellNamespace,
  organizationId: string,
  { find, runtime }: { find: FindResidence; runtime: Pick<Runtime, "nowMs" | "pause"> },
): CallInterceptor {
  return (call, send) =>
    whileMoving(runtime, async () => {
      const residence = await find(organizationId);
      if (residence.place === "d1") return send();
      // A new stub each time, because a stub fails forever once its object has been reset.
      const stub = objectOf(cells, organizationId, residence);
      const cell = toDatabase((statements) => stub.run(statements));
      try {
        return await sendCall(cell, call);
      } catch (error) {
        throw await explainError(error, cell);
      }
    });
}

/** The vectors of a cell. */
export const cellStore = (cell: () => Omit<Cell, "run" | "move">): VectorStore =>
  guardedStore({
    hasLag: true,
    upsert: (_, vectors) => cell().upsertVectors(vectors),
    query: (_, vector, filter, timeoutMs) => cell().queryVectors(vector, filter, timeoutMs),
    existing: (ids, timeoutMs) => cell().existingVectors(ids, timeoutMs),
    delete: (ids) => cell().deleteVectors(ids),
  });

/** The vectors of the organization: those of its cell, if it is in one, or those of the shared store. */
export function routeVectors(
  cells: CellNamespace,
  organizationId: string,
  { shared, find }: { shared: VectorStore; find: FindResidence },
): VectorStore {
  const store = async () => {
    const residence = await find(organizationId);
    return residence.place === "d1" ? shared : cellStore(() => objectOf(cells, organizationId, residence));
  };
  return {
    hasLag: true,
    upsert: async (...call) => (await store()).upsert(...call),
    query: async (...call) => (await store()).query(...call),
    existing: async (...call) => (await store()).existing(...call),
    delete: async (...call) => (await store()).delete(...call),
  };
}
