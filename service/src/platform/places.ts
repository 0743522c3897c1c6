import type { Place } from "@engram/spec";
import { toDatabase } from "./cell-database.ts";
import type { BoundStatement, Outcome } from "./cell-storage.ts";
import { type CallInterceptor, sendCall } from "./database-calls.ts";
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

export interface CellNamespace<OneCell extends Cell = Cell> {
  getByName(organizationId: string): OneCell;
}

/** Time for which an isolate remembers where an organization is. A move takes longer. */
const KNOWN_MS = 60_000;
const PLACES_MAX = 10_000;

/** What an isolate knows of the places of organizations. */
export class Places {
  readonly #known = new Map<string, { place: Place; untilMs: number }>();

  know(organizationId: string, place: Place, nowMs: number): void {
    // Old entries are of no use.
    if (this.#known.size >= PLACES_MAX) this.#known.clear();
    this.#known.set(organizationId, { place, untilMs: nowMs + KNOWN_MS });
  }

  /** Null if it is not known. */
  get(organizationId: string, nowMs: number): Place | null {
    const known = this.#known.get(organizationId);
    return known !== undefined && known.untilMs > nowMs ? known.place : null;
  }

  forget(organizationId: string): void {
    this.#known.delete(organizationId);
  }

  /** An organization that does not exist is nowhere, and counts as in D1, where nothing of it is found. */
  async find(directory: D1Database, organizationId: string, nowMs: number): Promise<Place> {
    const known = this.get(organizationId, nowMs);
    if (known !== null) return known;
    const found = await run(directory, placeOf(organizationId));
    if (found === null) return "d1";
    this.learn(organizationId, found, nowMs);
    return found.place;
  }

  /** Remembers what D1 says, unless the organization moves: then each call asks D1. */
  learn(organizationId: string, { place, isMoving }: FoundPlace, nowMs: number): void {
    if (isMoving) this.forget(organizationId);
    else this.know(organizationId, place, nowMs);
  }
}

export interface FoundPlace {
  place: Place;
  /** Whether it may be elsewhere at the next call. */
  isMoving: boolean;
}

/** Null if there is no such organization. */
export const placeOf = (organizationId: string): Statement<FoundPlace | null> =>
  row(
    sql`SELECT coalesce(place, 'd1') AS place,
               EXISTS (SELECT 1 FROM moves WHERE organization_id = organizations.id AND completed_at_ms IS NULL) AS is_moving
          FROM organizations WHERE id = ${organizationId}`,
    ({ place, is_moving }: { place: Place; is_moving: 0 | 1 }) => ({ place, isMoving: is_moving === 1 }),
  );

/** The error of a write that was refused because the organization moves. Nothing was written. */
export const isMovingError = (error: unknown): boolean => String(error).includes(MOVING);
/** The text of that error. */
export const MOVING = "refused:moving";

/** Writes are refused for at most two seconds. Time between two attempts, and in all. */
const MOVING_PAUSE_MS = 100;
const MOVING_MS = 3_000;

/** Sends the calls to the cell of the organization, if it is in one. Calls wait while the organization moves. */
export function routeCalls(
  cells: CellNamespace,
  organizationId: string,
  {
    findPlace,
    runtime,
  }: { findPlace: () => Place | Promise<Place>; runtime: Pick<Runtime, "nowMs" | "pause"> },
): CallInterceptor {
  // A new stub each time, because a stub fails forever once its object has been reset.
  const cell = toDatabase((statements) => cells.getByName(organizationId).run(statements));
  return async (call, send) => {
    const endMs = runtime.nowMs() + MOVING_MS;
    for (;;) {
      try {
        return await ((await findPlace()) === "d1" ? send() : sendCall(cell, call));
      } catch (error) {
        if (!isMovingError(error) || runtime.nowMs() >= endMs) throw error;
        await runtime.pause(MOVING_PAUSE_MS);
      }
    }
  };
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
  { shared, findPlace }: { shared: VectorStore; findPlace: () => Place | Promise<Place> },
): VectorStore {
  const inCell = cellStore(() => cells.getByName(organizationId));
  const store = async () => ((await findPlace()) === "d1" ? shared : inCell);
  return {
    hasLag: true,
    upsert: async (...call) => (await store()).upsert(...call),
    query: async (...call) => (await store()).query(...call),
    existing: async (...call) => (await store()).existing(...call),
    delete: async (...call) => (await store()).delete(...call),
  };
}
