import type { KeyCaller, ServiceContext } from "../context.ts";
import { ApiError } from "../errors.ts";
import { activeKey } from "../platform/batch.ts";
import type { Principal } from "../platform/principal.ts";
import { prepare } from "../platform/sql.ts";
import { NO_PLACE, type UsagePlace } from "../platform/usage-places.ts";

/**
 * The context of a caller. Each database call through it also checks, in the same transaction, that the key is
 * active, even if the key was found in the cache. So no operation can leave the check out, and it adds no round
 * trip.
 */
export function openKeyCaller(
  system: ServiceContext,
  principal: Principal,
  place: UsagePlace = NO_PLACE,
): KeyCaller {
  return { ...system, kind: "key", db: checkedDatabase(system, principal), system, principal, place };
}

/** Calls throw `unauthenticated` once the key is revoked, expired or deleted with its organization. */
function checkedDatabase({ db, runtime, caches }: ServiceContext, principal: Principal): D1Database {
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const batch = async (statements: D1PreparedStatement[]) => {
    const key = activeKey({ ...principal, nowMs: runtime.nowMs() });
    const [checked, ...results] = await db.batch<Record<string, unknown>>([
      prepare(db, key.sql),
      ...statements.map((statement) => originals.get(statement) ?? statement),
    ]);
    if (checked !== undefined && (await key.read(checked))) return results;
    caches.principals.forget(({ keyId }) => keyId === principal.keyId);
    throw new ApiError("unauthenticated", "The key was revoked or has expired. Use another key.");
  };
  const checked = (original: D1PreparedStatement): D1PreparedStatement => {
    const all = async () => (await batch([statement]))[0];
    const statement = {
      bind: (...values: unknown[]) => checked(original.bind(...values)),
      all,
      run: all,
      first: async (column?: string) => {
        const row = (await all())?.results[0];
        return (column === undefined ? row : row?.[column]) ?? null;
      },
    } as unknown as D1PreparedStatement;
    originals.set(statement, original);
    return statement;
  };
  return { prepare: (sql: string) => checked(db.prepare(sql)), batch } as unknown as D1Database;
}
