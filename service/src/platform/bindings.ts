import { ApiError } from "../errors.ts";
import type { Principal } from "./principal.ts";

/**
 * The agent of a new conversation or memory.
 *
 * @throws {ApiError} `forbidden` when the key is bound to another agent.
 */
export function agentFor(principal: Principal, requested: string | null): string | null {
  refuseOther(principal.agentId, requested, "agent");
  return principal.agentId ?? requested;
}

/**
 * The user of a new conversation or memory.
 *
 * @throws {ApiError} `forbidden` when the key is bound to another user.
 */
export function userFor(principal: Principal, requested: string | null): string | null {
  refuseOther(principal.userId, requested, "user");
  return principal.userId ?? requested;
}

/**
 * Whether a conversation or memory is shared with all users.
 *
 * @throws {ApiError} `forbidden` when the key is bound to a user.
 */
export function sharedFor(principal: Principal, requested: boolean | undefined): boolean {
  if (requested === true && principal.userId !== null)
    throw new ApiError(
      "forbidden",
      "This key is bound to a user and cannot share. Leave out `shared`, or use a key that is bound to no user.",
    );
  return requested === true;
}

function refuseOther(bound: string | null, requested: string | null, kind: "agent" | "user"): void {
  if (bound !== null && requested !== null && requested !== bound)
    throw new ApiError(
      "forbidden",
      `This key is bound to another ${kind}. Leave out \`${kind}_id\`, or use a key for that ${kind}.`,
    );
}
