import { readFile } from "node:fs/promises";
import { CommandError } from "../command/options.ts";
import { SCOPES, type Scope } from "./args.ts";
import { METRICS, type Metric } from "./metrics.ts";
import { NOTE_METRICS, type NoteMetric } from "./notes/metrics.ts";
import { SILENCES, type Silence } from "./report.ts";

/** A set, because `mrr` is in both lists. */
const FLOORED = [...new Set([...METRICS, ...NOTE_METRICS, ...SILENCES])];
type Floored = Metric | NoteMetric | Silence;

/** Minimum results of hybrid search, in percent: by set, scope and metric. */
export type Floors = Record<string, Partial<Record<Scope, Partial<Record<Floored, number>>>>>;

/** The part of a scope's report that floors apply to; null for figures without questions. */
interface Reached {
  metrics: Partial<Record<Metric | NoteMetric, number>>;
  relevance: Partial<Record<Silence, number | null>>;
}

/** Floors that cannot be checked. The message explains why. */
export class FloorsError extends CommandError {}

/**
 * Read a floors file.
 *
 * @throws {FloorsError} when it is invalid, or when a scope to be measured has no floor.
 */
export async function readFloors(file: string, setName: string, scopes: readonly Scope[]): Promise<Floors> {
  const floors = await parse(file);
  for (const scope of scopes) {
    // A check without floors must not count as passed.
    if (Object.keys(floors[setName]?.[scope] ?? {}).length === 0) {
      throw new FloorsError(`${file} has no floor for ${setName} in scope ${scope}`);
    }
  }
  return floors;
}

/** One line per metric below its floor; empty when every floor holds. */
export function findBelowFloors(
  floors: Floors,
  setName: string,
  reports: Readonly<Record<string, Reached>>,
): string[] {
  return Object.entries(reports).flatMap(([scope, { metrics, relevance }]) => {
    const reached: Partial<Record<Floored, number | null>> = { ...metrics, ...relevance };
    return FLOORED.flatMap((metric) => {
      const floor = floors[setName]?.[scope as Scope]?.[metric];
      // A figure without questions fails its floor.
      const value = reached[metric] ?? 0;
      if (floor === undefined || value >= floor) return [];
      return [`${setName}, ${scope}: ${metric} is ${value.toFixed(1)}, below its floor of ${floor}`];
    });
  });
}

async function parse(file: string): Promise<Floors> {
  try {
    const floors: Floors = JSON.parse(await readFile(file, "utf8"));
    for (const [setName, byScope] of Object.entries(floors)) {
      for (const [scope, byMetric] of entriesOf(byScope, SCOPES, setName)) {
        for (const [metric, floor] of entriesOf(byMetric, FLOORED, `${setName}.${scope}`)) {
          if (typeof floor !== "number") throw new Error(`${setName}.${scope}.${metric} is no number`);
        }
      }
    }
    return floors;
  } catch (cause) {
    throw new FloorsError(`${file} holds no floors: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  }
}

/** @throws {Error} when a key is not among `names`. */
function entriesOf(value: unknown, names: readonly string[], place: string): [string, unknown][] {
  if (typeof value !== "object" || value === null) throw new Error(`${place} is no object`);
  const entries = Object.entries(value);
  const stray = entries.find(([name]) => !names.includes(name));
  if (stray !== undefined) throw new Error(`${place} knows no "${stray[0]}"`);
  return entries;
}
