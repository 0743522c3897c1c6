import {
  type ApiKeyWithSecret,
  SIGN_IN_CODE_SECONDS,
  SIGN_IN_KEY_NAME,
  SIGN_IN_KEY_SECONDS,
  type SignInCode,
} from "@engram/spec";
import { auditEvent } from "../audit/service.ts";
import { ApiError } from "../errors.ts";
import type { AnonymousCaller, KeyCaller } from "../invocation.ts";
import { insertedKey } from "../keys/queries.ts";
import { createRandomText } from "../keys/secrets.ts";
import { mintKey } from "../keys/service.ts";
import { toTimestamp } from "../platform/batch.ts";
import { sha256Hex } from "../platform/digest.ts";
import { recordedEvent } from "../platform/recorded-events.ts";
import { batch, run } from "../platform/sql.ts";
import * as queries from "./queries.ts";

/** A code names its organization and its key, so that it is looked up by the primary key of the table. */
const CODE = /^engram_code_([0-9a-z]{1,32})_([0-9a-z]{1,32})_[0-9A-Za-z]{32}$/;

/** Replaces an earlier code of the caller's key. */
export async function createSignInCode({ db, principal, runtime }: KeyCaller): Promise<SignInCode> {
  const { organizationId, keyId } = principal;
  const names = [organizationId.replace(/^org_/, ""), keyId.replace(/^key_/, "")];
  const code = `engram_code_${names.join("_")}_${createRandomText(runtime)}`;
  const expiresAtMs = runtime.nowMs() + SIGN_IN_CODE_SECONDS * 1_000;
  const hash = await sha256Hex(code);
  await run(db, queries.storedCode({ organizationId, keyId, hash, expiresAtMs }));
  return { code, expires_at: toTimestamp(expiresAtMs) };
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
  const { db, runtime } = caller;
  const nowMs = runtime.nowMs();
  const [, organization, key] = CODE.exec(code ?? "") ?? [];
  if (code === null || organization === undefined || key === undefined) throw refusal();
  const place = { organizationId: `org_${organization}`, keyId: `key_${key}` };
  const held = { ...place, hash: await sha256Hex(code), nowMs };
  const creator = await queries.selectCreator(db, held);
  if (creator === null) throw refusal();
  const minted = await mintKey(runtime, {
    ...creator,
    organizationId: place.organizationId,
    name: SIGN_IN_KEY_NAME,
    expiresAt: toTimestamp(
      Math.min(nowMs + SIGN_IN_KEY_SECONDS * 1_000, creator.expiresAtMs ?? Number.POSITIVE_INFINITY),
    ),
  });
  const { organizationId, id } = minted.row;
  await batch(db, {
    valid: queries.assertCodeValid(held),
    used: queries.usedCode(place),
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
