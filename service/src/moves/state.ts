import type { Place } from "@engram/spec";
import type { Row } from "./rows.ts";

/** How far a move is, as its cell knows it. */
export interface State {
  /** Null until the cell has asked D1 about the move. */
  id: string | null;
  place: Place;
  /**
   * `loading`: the organization is not here yet. `leaving`: it is here, and its rows are copied. `switching`: D1 alone knows
   * where it is. `here`: it has moved here. `gone`: it has moved to D1, or the move here is canceled.
   */
  phase: "asked" | "loading" | "leaving" | "switching" | "here" | "gone";
  /** Index of the table that is copied, and the last row of it that is. */
  table: number;
  after: Row | null;
  /** Messages that are copied. */
  done: number;
  /** Number of the organization in the database that it moves to, and what is added to the numbers of conversations. */
  number: number;
  offset: number;
  /** Until when a write to the vector store may arrive of which no answer has come. Undefined before the first write. */
  storingUntilMs?: number | null;
  /** The last chunk whose vector may have been copied, while chunks are. */
  copiedTo?: Row;
  /** How far the copies of vectors are deleted, after the move was canceled. */
  copies?: CopiesLeft;
}

export interface CopiesLeft {
  /** When the store has accepted to delete the last of them, so that it is asked whether it shows any; null until then. */
  deletedMs: number | null;
  /** Index of the table whose vectors come next, and the last row of it that was. */
  table: number;
  after: Row | null;
}

/** The state of a move, in the database of the cell. */
export class MoveState {
  readonly #sql: SqlStorage;

  constructor({ sql }: DurableObjectStorage) {
    this.#sql = sql;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS move_state (id INTEGER PRIMARY KEY CHECK (id = 1), state TEXT NOT NULL) STRICT",
    );
  }

  /** Null if the organization does not move. */
  get current(): State | null {
    const [stored] = this.#sql.exec<{ state: string }>("SELECT state FROM move_state").toArray();
    return stored === undefined ? null : (JSON.parse(stored.state) as State);
  }

  set(state: State): void {
    this.#sql.exec("INSERT OR REPLACE INTO move_state (id, state) VALUES (1, ?)", JSON.stringify(state));
  }

  update(changed: Partial<State>): void {
    const { current } = this;
    if (current !== null) this.set({ ...current, ...changed });
  }

  clear(): void {
    this.#sql.exec("DELETE FROM move_state");
  }
}
