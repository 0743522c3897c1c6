import { ApiError } from "../errors.ts";
import { canonicalJson } from "../text/canonical-json.ts";
import { runAtOnce } from "../text/pace.ts";
import type { Owner } from "./batch.ts";
import { sha256Hex } from "./digest.ts";

const MARK_CHARACTERS = 16;
export const PAGE_ITEMS_DEFAULT = 20;

export interface CursorScope {
  list: string;
  owner: Owner;
  parameters: unknown;
}

/** A cursor for a position in a list. It is valid only for this list with these parameters. */
export async function toCursor(scope: CursorScope, position: unknown): Promise<string> {
  const json = toAscii(JSON.stringify(position));
  return `${await mark(scope, json)}${btoa(json).replaceAll("=", "").replaceAll("+", "-").replaceAll("/", "_")}`;
}

/** JSON with escapes for other characters than those of ASCII, of which `btoa` takes only some. */
const toAscii = (json: string): string =>
  json.replace(
    /[\u0080-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/**
 * The position of a cursor; null without a cursor.
 *
 * @throws {ApiError} `invalid_cursor` if the cursor was altered, or made for another list or other parameters.
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
    // A caller can compute the checksum and make a cursor with any content, so the position is checked.
    if (isOurs && isPosition(position)) return position;
  } catch {
    // The cursor is not base64 or not JSON. It is rejected like any other invalid cursor.
  }
  throw new ApiError(
    "invalid_cursor",
    "Pass `next_cursor` unchanged, with all other parameters as for the previous page.",
  );
}

/**
 * Takes `limit + 1` rows. The last one is not returned; it shows that another page follows. With fewer rows, the next
 * page begins at `scanEnd`, where a limit stopped the scan. If it is null or absent, there is no next page.
 */
export async function toPage<Row>(
  scope: CursorScope,
  rows: Row[],
  input: {
    limit: number;
    total?: number | null | undefined;
    positionOf: (row: Row, place: number) => unknown;
    scanEnd?: unknown;
  },
): Promise<{ items: Row[]; next_cursor: string | null; total?: number | null }> {
  const { limit, total, positionOf, scanEnd = null } = input;
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const next = rows.length > limit && last !== undefined ? positionOf(last, limit - 1) : scanEnd;
  return {
    items,
    next_cursor: next === null ? null : await toCursor(scope, next),
    ...(total === undefined ? {} : { total }),
  };
}

export const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

export const isId = (value: unknown): value is string => typeof value === "string";

export interface ListPosition {
  /** The value of the column that the list is sorted by. Rows with equal values are ordered by id. */
  value: number;
  id: string;
}

export function isListPosition(position: unknown): position is ListPosition {
  const { value, id } = (position ?? {}) as Partial<ListPosition>;
  return isWhole(value) && isId(id);
}

/** A checksum. It uses no secret: with a made-up cursor, a caller can only read another position of its own list. */
async function mark({ list, owner, parameters }: CursorScope, json: string): Promise<string> {
  const { organizationId, agentId, userId } = owner;
  // Cursors of versions without keys bound to a user stay valid.
  const scope = { list, organizationId, agentId, parameters, ...(userId !== null && { userId }) };
  return (await sha256Hex(runAtOnce(canonicalJson([scope, json])))).slice(0, MARK_CHARACTERS);
}
