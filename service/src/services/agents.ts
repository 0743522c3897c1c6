import type { Principal } from "../context.ts";
import { ApiError } from "../errors.ts";

/** The agent that something new belongs to: the key's, or else the one asked for. @throws {ApiError} `forbidden`. */
export function agentFor(principal: Principal, asked: string | null): string | null {
  if (principal.agentId !== null && asked !== null && asked !== principal.agentId) {
    throw new ApiError("forbidden", "This key is bound to another agent.");
  }
  return principal.agentId ?? asked;
}
