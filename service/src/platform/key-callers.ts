import { ApiError } from "../errors.ts";
import type { Invocation, KeyCaller } from "../invocation.ts";
import { activeKey } from "./batch.ts";
import { interceptCalls } from "./database-calls.ts";
import { credentialOf, type Principal } from "./principal.ts";
import { toParameterized } from "./sql.ts";
import { NO_PLACE, type UsagePlace } from "./usage-places.ts";

/**
 * An invocation for the owner of a key. Each database call through it also checks, in the same transaction, that the key is
 * active, even if the key was found in the cache. So no operation can leave the check out, and it adds no round
 * trip.
 */
export function openKeyCaller(
  system: Invocation,
  principal: Principal,
  place: UsagePlace = NO_PLACE,
): KeyCaller {
  return { ...system, kind: "key", db: checkedDatabase(system, principal), system, principal, place };
}

/** Calls throw `unauthenticated` once the key is revoked, expired or deleted with its organization. */
const checkedDatabase = ({ db, runtime, caches }: Invocation, principal: Principal): D1Database =>
  interceptCalls(db, async ({ statements }, send) => {
    const key = activeKey({ ...principal, nowMs: runtime.nowMs() });
    const [checked, ...results] = await send({
      kind: "batch",
      statements: [toParameterized(key.sql), ...statements],
    });
    if (checked !== undefined && (await key.read(checked as D1Result))) return results;
    caches.principals.forget((held) => credentialOf(held) === credentialOf(principal));
    throw new ApiError("unauthenticated", "The key was revoked or has expired. Use another key.");
  });
