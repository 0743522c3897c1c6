import type { ApiError } from "../errors.ts";
import type { Event, operations } from "../generated/schema.ts";
import type { Http } from "../http.ts";
import type { CallOptions } from "../options.ts";
import { toApiError } from "../problem.ts";

/** A position in the event log: `after` of a page, the `sequence` of an event, or `now` for the end. */
export type EventPosition = number | "now";

/** A position in the log, and the event there. Null where only the position has moved. */
export interface Step {
  after: number;
  event: Event | null;
}

export type EventFilters = Omit<NonNullable<operations["streamEvents"]["parameters"]["query"]>, "after">;

/** Yields the steps after a position over one connection. */
export type ReadSteps = (
  http: Http,
  after: EventPosition,
  filters: EventFilters,
  options: CallOptions & { signal: AbortSignal },
) => AsyncGenerator<Step, void, undefined>;

/** The error of a connection that ended with a problem. */
export function toFailure(problem: string): Promise<ApiError> {
  const { status } = JSON.parse(problem) as { status: number };
  return toApiError(new Response(problem, { status }), { idempotencyKey: null, mayHaveApplied: false });
}
