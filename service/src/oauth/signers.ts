import type { Scope } from "@engram/spec";
import type { Invocation } from "../invocation.ts";
import { authenticate } from "../keys/service.ts";
import { assertKeyActive } from "../platform/batch.ts";
import type { Statements } from "../platform/sql.ts";
import { findSignInCode } from "../sign-in-codes/service.ts";

/** The key with which a person signs in. */
export interface Signer {
  organizationId: string;
  keyId: string;
  scopes: readonly Scope[];
  agentId: string | null;
  userId: string | null;
  /** Fail the batch if the key has ended meanwhile, or if the sign-in code was used. */
  guard: Statements;
}

/**
 * Finds the key for what a person enters: the key itself, a sign-in code of it, or a link with such a code. Null if there
 * is none that is active.
 */
export async function findSigner(invocation: Invocation, entered: string): Promise<Signer | null> {
  const code = /engram_code_\w+$/.exec(entered)?.[0];
  if (code !== undefined) {
    const found = await findSignInCode(invocation, code);
    return found && { ...found.place, ...found.creator, guard: found.use };
  }
  const principal = await authenticate(invocation, entered);
  return (
    principal && {
      ...principal,
      guard: { key: assertKeyActive({ ...principal, nowMs: invocation.runtime.nowMs() }) },
    }
  );
}
