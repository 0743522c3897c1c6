import type { Session, Turn } from "./dialogues.ts";

/** Neighbors of a turn on each side. */
const REACH = 2;

/**
 * Group each turn, best first, with its two neighbors on each side, without duplicate turns. A turn in an
 * earlier window gets no window of its own, and a window omits turns of earlier windows.
 *
 * @param sessions By key; must contain every turn of the ranking.
 * @returns Windows of one to five turns in reading order.
 */
export function toWindows(
  ranking: readonly (readonly Turn[])[],
  sessions: ReadonlyMap<string, Session>,
): Turn[][] {
  const told = new Set<string>();
  const windows: Turn[][] = [];
  for (const hit of ranking.flat()) {
    if (told.has(hit.key)) continue;
    const session = sessions.get(hit.sessionKey)?.turns ?? [];
    const index = session.findIndex((turn) => turn.key === hit.key);
    const near = session.slice(Math.max(0, index - REACH), index + REACH + 1);
    const window = near.filter((turn) => !told.has(turn.key));
    for (const turn of window) told.add(turn.key);
    windows.push(window);
  }
  return windows;
}
