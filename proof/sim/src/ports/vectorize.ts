import {
  checkIds,
  checkOptions,
  checkQueryVector,
  checkVectors,
} from "../../../../local/src/vectorize/checks.ts";
import type { VectorizeBinding } from "../../../../service/src/platform/vectors.ts";
import type { CallBehavior, Invocation, SimulationContext } from "../invocation.ts";
import { DIMENSIONS } from "./model.ts";
import { LAG_MAX_MS, type Mutation, type VectorIndex } from "./vector-index.ts";

const BEHAVIOR = {
  port: "vectorize",
  normalMs: { low: 5, high: 120 },
  // Longer than the service waits, but shorter than it keeps away from vectors that a lost call may still
  // write.
  slowMs: 25_000,
  error: (random) =>
    new Error(
      random.pick([
        "VECTOR_ERROR (code = 40041): Too Many Requests",
        "VECTOR_ERROR: Status + 500",
        "VECTOR_ERROR: Status + 429",
      ]),
    ),
} satisfies Omit<CallBehavior, "outcomes" | "frequency">;
const READ_BEHAVIOR: CallBehavior = {
  ...BEHAVIOR,
  frequency: 1,
  outcomes: { slow: 2, refused: 5, silent: 2 },
};
const WRITE_BEHAVIOR: CallBehavior = {
  ...BEHAVIOR,
  // These calls are few, and most permanent losses would come from them.
  frequency: 2,
  outcomes: { slow: 2, refused: 3, unacknowledged: 2, late: 2, silent: 2, repeated: 2, partly: 2 },
};

/** The `VECTORIZE` binding of one invocation, with the real limits and errors. */
export function vectorizeBinding(
  { clock, random }: SimulationContext,
  invocation: Invocation,
  index: VectorIndex,
): VectorizeBinding {
  /** Usually seconds, sometimes the full visibility lag. */
  const lagMs = () => random.between(0, random.pick([0, 5_000, 30_000, LAG_MAX_MS]));
  const mutate = (what: string, mutation: Mutation) =>
    invocation.call(WRITE_BEHAVIOR, what, (extent) => {
      index.take(extent === "whole" ? mutation : partOf(mutation), clock.nowMs() + lagMs());
      return { mutationId: "" };
    });
  return {
    upsert: async (vectors) => {
      const rows = checkVectors(vectors, DIMENSIONS);
      return mutate(`upsert(${shortOf(rows.map(({ id }) => id))})`, { kind: "upsert", rows });
    },
    deleteByIds: async (ids) => {
      checkIds("VECTOR_DELETE", ids);
      return mutate(`delete(${shortOf(ids)})`, { kind: "delete", ids: [...ids] });
    },
    getByIds: async (ids) => {
      checkIds("VECTOR_GET", ids);
      return invocation.call(READ_BEHAVIOR, `get(${shortOf(ids)})`, () => {
        const visible = index.visible(clock.nowMs());
        return ids.flatMap((id) => {
          const row = visible.get(id);
          return row === undefined
            ? []
            : [{ id, values: [...row.values], metadata: JSON.parse(row.metadata ?? "{}") }];
        });
      });
    },
    query: async (vector, options) => {
      const checked = checkOptions(options);
      const values = checkQueryVector(vector, DIMENSIONS);
      return invocation.call(READ_BEHAVIOR, "query", () => ({
        matches: index.query(values, checked, clock.nowMs()),
      }));
    },
  };
}

/** Ids in the trace: a few, abbreviated. */
const shortOf = (ids: string[]): string =>
  ids.length <= 6 ? ids.map((id) => id.slice(4, 9)).join(" ") : `${ids.length}: ${shortOf(ids.slice(0, 6))}`;

const partOf = (mutation: Mutation): Mutation =>
  mutation.kind === "delete"
    ? { kind: "delete", ids: mutation.ids.slice(0, mutation.ids.length >> 1) }
    : { kind: "upsert", rows: mutation.rows.slice(0, mutation.rows.length >> 1) };
