import type { Invocation } from "../invocation.ts";
import { runningMove } from "../operations/moves-queries.ts";
import type { OverflowingVectors } from "../platform/cell-vectors/overflow.ts";
import { residenceOf } from "../platform/places.ts";
import { PreconditionFailed } from "../platform/preconditions.ts";
import { run } from "../platform/sql.ts";
import { awaitVectors, copyChanges, copyPage, prepare } from "./copying.ts";
import { cancel, endedHere, remove } from "./ending.ts";
import * as queries from "./progress.ts";
import { type Columns, renumberedVector } from "./rows.ts";
import { batchOf, Later, MoveRun, type Next, RETRY_MS } from "./run.ts";
import { MoveState, type State } from "./state.ts";
import { switchPlaces } from "./switching.ts";

/** Time for which no isolate remembers where an organization is, because it reads that it moves: see `Places`. */
const FORGOTTEN_MS = 70_000;
/** Changes that are left when the organization is frozen. They are copied in some tenths of a second. */
const FREEZE_CHANGES_MAX = 300;

export interface MoverOptions {
  organizationId: string;
  vectors: OverflowingVectors;
}

/**
 * Moves an organization from D1 to its cell or back, in runs of the cell's alarm, so that one run at a time does.
 *
 * The rows are copied in pages while the organization is in use. Triggers in the database that it leaves note each row that
 * changes, which is copied again. When few are left, writes are refused for a moment: the last changes are copied, both
 * databases are compared, and one transaction in D1 says where the organization is from then on. The old rows are removed
 * after.
 */
export class Mover {
  readonly #state: MoveState;
  readonly #options: MoverOptions;
  readonly #columns = new Map<string, Columns>();

  constructor(storage: DurableObjectStorage, options: MoverOptions) {
    this.#state = new MoveState(storage);
    this.#options = options;
  }

  /** Notes that D1 may have a move of the organization. */
  begin(): void {
    if (this.#state.current !== null) return;
    this.#state.set({
      id: null,
      place: "cell",
      phase: "asked",
      table: 0,
      after: null,
      done: 0,
      number: 0,
      offset: 0,
    });
  }

  /** Gives the id of the copy of a vector that the shared store may have; null unless the organization moves to D1. */
  get copies(): ((vectorId: string) => string) | null {
    const { place = "cell", offset = 0 } = this.#state.current ?? {};
    return place === "cell" || offset === 0 ? null : (vectorId) => renumberedVector(vectorId, offset);
  }

  get isActive(): boolean {
    return this.#state.current !== null;
  }

  /** Whether the rows of the cell are those of the organization, so that its sweep may work on them. */
  get isHere(): boolean {
    const { phase = "here" } = this.#state.current ?? {};
    return phase === "here" || phase === "leaving";
  }

  /** Whether the cell may answer a call. */
  async admits({ directory }: Invocation): Promise<boolean> {
    if (this.#state.current === null || this.isHere) return true;
    const { phase, place } = this.#state.current;
    // Nobody knows whether the organization was here before someone asked for a move.
    if (phase === "asked")
      return (await run(directory, residenceOf(this.#options.organizationId)))?.place === "cell";
    if (phase !== "switching" || place === "d1") return false;
    // The answer of the transaction that moved it here may have been lost.
    const found = await run(directory, residenceOf(this.#options.organizationId));
    if (found?.place !== "cell") return false;
    if (this.#state.current?.phase === "switching") this.#state.update({ phase: "here" });
    return true;
  }

  /** Continues the move. Resolves to null if there is none. */
  async run(invocation: Invocation): Promise<Next | null> {
    if (this.#state.current === null) return null;
    const { directory } = invocation;
    const { organizationId } = this.#options;
    const move = await run(directory, queries.claimedMove(organizationId));
    if (move === null) return this.#forget(invocation);
    const { id, place } = move;
    if (this.#state.current.id !== id)
      this.#state.update({ id, place, phase: place === "cell" ? "loading" : "leaving" });
    const moving = new MoveRun(invocation, {
      move,
      store: this.#state,
      vectors: this.#options.vectors,
      columns: this.#columns,
    });
    try {
      return await continueMove(moving);
    } catch (error) {
      if (error instanceof Later) return { afterMs: error.afterMs };
      // It was canceled, or the organization deleted. The next run sees it.
      if (!(error instanceof PreconditionFailed)) throw error;
      return { afterMs: RETRY_MS };
    }
  }

  /** Ends the move in D1 after the cell was erased. */
  async finish({ directory, runtime }: Invocation): Promise<void> {
    const move = await run(directory, runningMove(this.#options.organizationId));
    if (move !== null) await run(directory, queries.completedMove(move.id, runtime.nowMs()));
  }

  /** D1 knows of no move: it has ended, or D1 was restored to an earlier time. */
  async #forget({ db, directory }: Invocation): Promise<Next | null> {
    const { organizationId } = this.#options;
    const { id, phase, place } = this.#state.current as State;
    const found = await run(directory, residenceOf(organizationId));
    const wasHere = phase === "leaving" || phase === "here" || (phase === "switching" && place === "d1");
    if (!wasHere && found?.place !== "cell" && phase !== "asked") return "erase";
    if (id !== null && place === "d1") await batchOf(db, endedHere(organizationId, id));
    this.#state.clear();
    return null;
  }
}

/** Does the next part of a move. */
async function continueMove(moving: MoveRun): Promise<Next | null> {
  const { move, source } = moving;
  if (move.phase === "removing") return remove(moving);
  if (move.phase === "canceling") return cancel(moving);
  await thaw(moving);
  awaitVectors(moving);
  if (!(await prepare(moving))) return moving.giveUp();
  while (moving.pages > 0 && (await copyPage(moving)));
  while (moving.pages > 0 && (await copyChanges(moving)));
  if (moving.pages <= 0) return { afterMs: 0 };
  const waitMs = move.created_at_ms + FORGOTTEN_MS - moving.nowMs;
  if (waitMs > 0) return { afterMs: Math.min(waitMs, RETRY_MS) };
  if ((await run(source, queries.countedChanges(moving.id))) > FREEZE_CHANGES_MAX) return { afterMs: 0 };
  return switchPlaces(moving);
}

/** Allows writes again, if a run before this one has ended while they were refused. */
async function thaw({ move, source, state, store, toCell, id }: MoveRun): Promise<void> {
  await run(source, queries.unfrozen(id));
  move.phase = "copying";
  if (state.phase === "switching") store.update({ phase: toCell ? "loading" : "leaving" });
}
