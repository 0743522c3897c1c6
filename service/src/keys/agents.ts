import { ApiError } from "../errors.ts";
import type { Principal } from "../platform/principal.ts";

/** @throws {ApiError} `forbidden` when the key is bound to another agent. */
export function agentFor(principal: Principal, requested: string | null): string | null {
  if (principal.agentId !== null && requested !== null && requested !== principal.agentId) {
    throw new ApiError(
      "forbidden",
      "This key is bound to another agent. Leave out `agent_id`, or use a key for that agent.",
    );
  }
  return principal.agentId ?? requested;
}
