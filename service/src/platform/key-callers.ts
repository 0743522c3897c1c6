import { ApiError } from "../errors.ts";
import type { Invocation, KeyCaller } from "../invocation.ts";
import { activeKey } from "./batch.ts";
import { interceptCalls } from "./database-calls.ts";
import { credentialOf, type Principal } from "./principal.ts";
import { run, toParameterized } from "./sql.ts";
import { NO_PLACE, type UsagePlace } from "./usage-places.ts";

/**
 * An invocation for the owner of a key. Each database call through it also checks, in the same transaction, that the key is
 * active, even if the key was found in the cache. So no operation can leave the check out, and it adds no round
 * trip. Calls throw `unauthenticated` once the key is revoked, expired or deleted with its organization.
 */
export function openKeyCaller(
  system: Invocation,
  principal: Principal,
  place: UsagePlace = NO_PLACE,
): KeyCaller {
  const keyNow = () => activeKey({ ...principal, nowMs: system.runtime.nowMs() });
  let isChecked = false;
  const assertActive = (isActive: boolean): void => {
    isChecked = true;
    if (isActive) return;
    system.caches.principals.forget((held) => credentialOf(held) === credentialOf(principal));
    throw new ApiError("unauthenticated", "The key was revoked or has expired. Use another key.");
  };
  const db = interceptCalls(system.db, async ({ statements }, send) => {
    const key = keyNow();
    const [checked, ...results] = await send({
      kind: "batch",
      statements: [toParameterized(key.sql), ...statements],
    });
    assertActive(checked !== undefined && (await key.read(checked as D1Result)));
    return results;
  });
  const checkKey = async () => {
    if (!isChecked) assertActive(await run(system.db, keyNow()));
  };
  return { ...system, kind: "key", db, checkKey, system, principal, place };
}
