import type { Role, Scope } from "@engram/spec";
import type { Invocation } from "../invocation.ts";
import { authenticate, findKey } from "../keys/service.ts";
import { assertKeyActive } from "../platform/batch.ts";
import type { Principal } from "../platform/principal.ts";
import type { Statements } from "../platform/sql.ts";
import { findSignInCode } from "../sign-in-codes/service.ts";

/** The key or the member with which a person signs in. */
export interface Signer {
  organizationId: string;
  keyId: string;
  /** Null for a key. */
  member: { name: string; role: Role; organization: string } | null;
  scopes: readonly Scope[];
  agentId: string | null;
  userId: string | null;
  /** Fail the batch if the key or the member has ended meanwhile, or if the sign-in code was used. */
  guard: Statements;
}

/**
 * Finds the key or the member for what a person enters: the key itself, a sign-in code, or a link with such a code. Null
 * if there is none that is active.
 */
export async function findSigner(invocation: Invocation, entered: string): Promise<Signer | null> {
  const code = /engram_(?:code|invite)_\w+$/.exec(entered)?.[0];
  if (code !== undefined) {
    const found = await findSignInCode(invocation, code);
    if (found === null) return null;
    const { name, role, organization } = found.creator;
    const member = role && { name, role, organization };
    return { ...found.place, ...found.creator, member, guard: found.use };
  }
  const principal = await authenticate(invocation, entered);
  return principal && { ...principal, member: null, guard: guardOf(invocation, principal) };
}

/** The member, unless they have been removed. */
export async function findMember(
  invocation: Invocation,
  place: { organizationId: string; keyId: string },
): Promise<Signer | null> {
  const principal = await findKey(invocation, place);
  if (principal === null || principal.role === null) return null;
  const { name, role, organization } = principal;
  return { ...principal, member: { name, role, organization }, guard: guardOf(invocation, principal) };
}

const guardOf = ({ runtime }: Invocation, principal: Principal): Statements => ({
  key: assertKeyActive({ ...principal, nowMs: runtime.nowMs() }),
});
