import type { ServiceContext } from "../context.ts";
import type { Turns } from "../queries/turns.ts";

/** Read limits for one statement of the sweep. It serves a randomly chosen organization first. */
export function drawTurns({ runtime, limits }: ServiceContext): Turns {
  const [draw = 0] = new Uint32Array(runtime.randomBytes(4).slice().buffer);
  return {
    organizationsMax: limits.sweepOrganizations,
    rowsMax: limits.sweepRows,
    chance: draw / 2 ** 32,
  };
}
