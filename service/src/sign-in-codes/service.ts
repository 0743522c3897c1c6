import {
  type ApiKeyWithSecret,
  SIGN_IN_CODE_SECONDS,
  SIGN_IN_KEY_NAME,
  SIGN_IN_KEY_SECONDS,
  type SignInCode,
} from "@engram/spec";
import { auditEvent } from "../audit/service.ts";
import { ApiError } from "../errors.ts";
import type { AnonymousCaller, Invocation, KeyCaller } from "../invocation.ts";
import { insertedKey } from "../keys/queries.ts";
import { createRandomText } from "../keys/secrets.ts";
import { mintKey } from "../keys/service.ts";
import { toTimestamp } from "../platform/batch.ts";
import { sha256Hex } from "../platform/digest.ts";
import { recordedEvent } from "../platform/recorded-events.ts";
import { batch, type Statements } from "../platform/sql.ts";
import * as queries from "./queries.ts";

/**
 * A code names its organization and its key or member, so that it is looked up by the primary key of the table. The code
 * of a member only signs them in, and makes no key.
 */
const CODE = /^engram_(code|invite)_([0-9a-z]{1,32})_([0-9a-z]{1,32})_[0-9A-Za-z]{32}$/;
const KINDS = { code: "key", invite: "member" } as const;

/** Replaces an earlier code of the caller's key. */
export const createSignInCode = (caller: KeyCaller): Promise<SignInCode> =>
  createCode(caller, caller.principal, SIGN_IN_CODE_SECONDS);

/**
 * Creates a code for a key or a member. It replaces an earlier one.
 *
 * @param place its key, or its member.
 * @param guard Statements of the same batch, which fail if there can be no code.
 */
export async function createCode(
  { db, runtime }: Invocation,
  { organizationId, keyId }: { organizationId: string; keyId: string },
  seconds: number,
  guard: Statements = {},
): Promise<SignInCode> {
  const kind = keyId.startsWith("member_") ? "invite" : "code";
  const names = [organizationId, keyId].map((id) => id.replace(/^[a-z]+_/, ""));
  const code = `engram_${kind}_${names.join("_")}_${createRandomText(runtime)}`;
  const expiresAtMs = runtime.nowMs() + seconds * 1_000;
  const hash = await sha256Hex(code);
  await batch(db, { guard, code: queries.storedCode({ organizationId, keyId, hash, expiresAtMs }) });
  return { code, expires_at: toTimestamp(expiresAtMs) };
}

/**
 * The key that created a code, and the statements that use the code up. Null if the code or its key is not valid. The
 * batch of the statements fails if the code was used meanwhile.
 */
export async function findSignInCode({ at, runtime }: Invocation, code: string | null) {
  const [, kind, organization, key] = CODE.exec(code ?? "") ?? [];
  if (code === null || organization === undefined || key === undefined) return null;
  const place = {
    organizationId: `org_${organization}`,
    keyId: `${KINDS[kind as keyof typeof KINDS]}_${key}`,
  };
  const held = { ...place, hash: await sha256Hex(code), nowMs: runtime.nowMs() };
  const creator = await queries.selectCreator(at(place.organizationId).db, held);
  const use = { valid: queries.assertCodeValid(held), used: queries.usedCode(place) };
  return creator && { place, creator, use };
}

/**
 * Makes a key that is never stronger than the one that created the code, and uses the code up.
 *
 * @throws {ApiError} `unauthenticated`.
 */
export async function redeemSignInCode(
  caller: AnonymousCaller,
  code: string | null,
): Promise<ApiKeyWithSecret> {
  const { runtime } = caller;
  const nowMs = runtime.nowMs();
  const found = await findSignInCode(caller, code);
  // A member signs in on a page of the service: a key would outlive their membership.
  if (found === null || found.creator.role !== null) throw refusal();
  const { place, creator, use } = found;
  const minted = await mintKey(runtime, {
    ...creator,
    organizationId: place.organizationId,
    name: SIGN_IN_KEY_NAME,
    expiresAt: toTimestamp(
      Math.min(nowMs + SIGN_IN_KEY_SECONDS * 1_000, creator.expiresAtMs ?? Number.POSITIVE_INFINITY),
    ),
  });
  const { organizationId, id } = minted.row;
  await batch(caller.at(organizationId).db, {
    use,
    inserted: insertedKey(minted.row),
    audit: auditEvent(caller, place, { organizationId, action: "key.created", targetId: id, nowMs }),
    event: recordedEvent("key.created", { organizationId, subjectId: id, nowMs }),
  });
  return minted.key;
}

const refusal = (): ApiError =>
  new ApiError(
    "unauthenticated",
    "The sign-in code is not valid. It was used or replaced, it has expired, or its key is not active. Create another code, or sign in with a key.",
  );
