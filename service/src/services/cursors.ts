import { canonicalJson, sha256Hex } from "../digest.ts";
import { ApiError } from "../errors.ts";
import type { ListPosition } from "../queries/conversation-scans.ts";

const MARK_CHARACTERS = 16;
/** Items of a page when the caller does not say. */
export const PAGE_ITEMS_DEFAULT = 20;

/** What a cursor belongs to: the list, whose it is, and everything that decides what is in it. */
export interface CursorScope {
  list: string;
  organizationId: string;
  agentId: string | null;
  parameters: unknown;
}

/** A position in a list as an opaque text that only this list with these parameters takes back. */
export async function toCursor(scope: CursorScope, position: unknown): Promise<string> {
  const json = JSON.stringify(position);
  return `${await mark(scope, json)}${btoa(json).replaceAll("=", "").replaceAll("+", "-").replaceAll("/", "_")}`;
}

/**
 * The position that a cursor stands for; null without one.
 *
 * @throws {ApiError} `invalid_cursor` when it was altered or made for another list.
 */
export async function fromCursor<Position>(
  scope: CursorScope,
  cursor: string | undefined,
  isPosition: (value: unknown) => value is Position,
): Promise<Position | null> {
  if (cursor === undefined) return null;
  try {
    const json = atob(cursor.slice(MARK_CHARACTERS).replaceAll("-", "+").replaceAll("_", "/"));
    const position: unknown = JSON.parse(json);
    const isOurs = cursor.slice(0, MARK_CHARACTERS) === (await mark(scope, json));
    // Whoever knows how marks are made can make one of anything.
    if (isOurs && isPosition(position)) return position;
  } catch {
    // Not even base 64: answered like every other cursor that is not ours.
  }
  throw new ApiError(
    "invalid_cursor",
    "Pass `next_cursor` unaltered, with all other parameters as they were.",
  );
}

/** A page out of rows of which one more was asked for than it holds, with a cursor when there are more. */
export async function toPage<Row>(
  scope: CursorScope,
  rows: Row[],
  input: { limit: number; total: number | undefined; positionOf: (row: Row, place: number) => unknown },
): Promise<{ items: Row[]; next_cursor: string | null; total?: number }> {
  const { limit, total, positionOf } = input;
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const hasMore = rows.length > limit && last !== undefined;
  return {
    items,
    next_cursor: hasMore ? await toCursor(scope, positionOf(last, limit - 1)) : null,
    ...(total === undefined ? {} : { total }),
  };
}

/** Whether a position, or a part of one, is a whole number. */
export const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

/** Whether a position, or a part of one, is an id. */
export const isId = (value: unknown): value is string => typeof value === "string";

/** Whether a position is one in a list of conversations or memories. */
export function isListPosition(position: unknown): position is ListPosition {
  const { value, id } = (position ?? {}) as Partial<ListPosition>;
  return isWhole(value) && isId(id);
}

/** Binds a position to its list. Not a secret: a forged one would only name a place in the caller's own list. */
async function mark(scope: CursorScope, json: string): Promise<string> {
  return (await sha256Hex(canonicalJson([scope, json]))).slice(0, MARK_CHARACTERS);
}
