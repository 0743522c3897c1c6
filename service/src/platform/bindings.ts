import { ApiError } from "../errors.ts";
import type { Principal } from "./principal.ts";

/** The only agent and the only user whose data a request can read and write; null for all. */
export type Binding = Pick<Principal, "agentId" | "userId">;

/**
 * The principal, limited to an agent and a user as if its key were bound to them, so without the scope `admin`.
 *
 * @throws {ApiError} `forbidden` when the key is bound to another agent or user.
 */
export function narrowed(principal: Principal, binding: Binding): Principal {
  if (binding.agentId === null && binding.userId === null) return principal;
  return {
    ...principal,
    agentId: agentFor(principal, binding.agentId),
    userId: userFor(principal, binding.userId),
    scopes: principal.scopes.filter((scope) => scope !== "admin"),
  };
}

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

function refuseOther(bound: string | null, requested: string | null, kind: "agent" | "user"): void {
  if (bound !== null && requested !== null && requested !== bound)
    throw new ApiError(
      "forbidden",
      `This key is bound to another ${kind}. Leave out \`${kind}_id\`, or use a key for that ${kind}.`,
    );
}
