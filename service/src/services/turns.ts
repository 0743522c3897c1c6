import type { ServiceContext } from "../context.ts";
import type { Turns } from "../queries/turns.ts";

/** Which organization a statement of the sweep serves first, by chance, and how much it reads. */
export function drawTurns({ runtime, limits }: ServiceContext): Turns {
  const [draw = 0] = new Uint32Array(runtime.randomBytes(4).slice().buffer);
  return {
    organizationsMax: limits.sweepOrganizations,
    rowsMax: limits.sweepRows,
    chance: draw / 2 ** 32,
  };
}
