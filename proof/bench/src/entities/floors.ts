import { readFile } from "node:fs/promises";
import { ENTITY_KINDS, type EntityKind } from "@engram/spec";
import { CommandError } from "../command/options.ts";
import { HALVES, type Half } from "../recall/halves.ts";
import type { Measured } from "./measure.ts";

const METRICS = ["precision", "recall"] as const;

/** Minimum precision and recall of the rules, in percent. */
export type EntityFloors = Partial<
  Record<Half, Partial<Record<EntityKind, Record<(typeof METRICS)[number], number>>>>
>;

/** @throws {CommandError} when the file is invalid or has no floor for a kind of the held-out half. */
export async function readEntityFloors(file: string): Promise<EntityFloors> {
  try {
    const floors: EntityFloors = JSON.parse(await readFile(file, "utf8"));
    for (const [half, byKind] of Object.entries(floors)) {
      if (!HALVES.includes(half as Half)) throw new Error(`there is no half "${half}"`);
      for (const [kind, byMetric] of Object.entries(byKind)) {
        if (!ENTITY_KINDS.includes(kind as EntityKind)) throw new Error(`there is no kind "${kind}"`);
        for (const metric of METRICS) {
          if (typeof byMetric[metric] !== "number") throw new Error(`${half}.${kind}.${metric} is no number`);
        }
      }
    }
    // A check without floors must not count as passed.
    const bare = ENTITY_KINDS.find((kind) => floors.held?.[kind] === undefined);
    if (bare !== undefined) throw new Error(`no floor for ${bare} on the held-out half`);
    return floors;
  } catch (cause) {
    throw new CommandError(`${file} holds no floors: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
}

/** One line per figure below its floor; empty when every floor holds. */
export function findBelowEntityFloors(
  floors: EntityFloors,
  reached: Readonly<Record<Half, Measured["figures"]>>,
): string[] {
  return HALVES.flatMap((half) =>
    ENTITY_KINDS.flatMap((kind) =>
      METRICS.flatMap((metric) => {
        const floor = floors[half]?.[kind]?.[metric];
        const value = reached[half][kind]?.[metric] ?? 0;
        if (floor === undefined || value >= floor) return [];
        return [`${half}, ${kind}: ${metric} is ${value.toFixed(1)}, below its floor of ${floor}`];
      }),
    ),
  );
}
