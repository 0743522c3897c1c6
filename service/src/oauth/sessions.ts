import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { deletedRecord, insertedRecord, recordOf } from "../grants/records-queries.ts";
import type { AppEnv } from "../invocation.ts";
import { createRandomText } from "../keys/secrets.ts";
import { sha256Hex } from "../platform/digest.ts";
import { run } from "../platform/sql.ts";
import { findMember, type Signer } from "./signers.ts";

/** Time for which a browser stays signed in, at the longest. */
const SESSION_SECONDS = 30 * 86_400;
const COOKIE = "engram-session";
/** A cookie with this prefix is of this host alone, and browsers send it over no plain connection to another machine. */
const ATTRIBUTES = { prefix: "host", path: "/", secure: true, httpOnly: true, sameSite: "Lax" } as const;

const keyOf = async (secret: string): Promise<string> => `session:${await sha256Hex(secret)}`;

const secretIn = (c: Context<AppEnv>): string | undefined => getCookie(c, COOKIE, "host");

/** Keeps a member signed in, in this browser, on the pages that ask who may have access. */
export async function openSession(
  c: Context<AppEnv>,
  place: { organizationId: string; keyId: string },
): Promise<void> {
  const { db, runtime } = c.var.caller;
  const secret = createRandomText(runtime);
  const record = {
    key: await keyOf(secret),
    grant: null,
    value: JSON.stringify(place),
    metadata: null,
    expiresAtMs: runtime.nowMs() + SESSION_SECONDS * 1_000,
  };
  await run(db, insertedRecord(record));
  setCookie(c, COOKIE, secret, { ...ATTRIBUTES, maxAge: SESSION_SECONDS });
}

/** The member who is signed in; null if nobody is, or if they were removed meanwhile. */
export async function readSession(c: Context<AppEnv>): Promise<Signer | null> {
  const secret = secretIn(c);
  if (secret === undefined) return null;
  const { db, runtime } = c.var.caller;
  const record = await run(db, recordOf(await keyOf(secret), runtime.nowMs()));
  return record && findMember(c.var.caller, JSON.parse(record.value));
}

export async function endSession(c: Context<AppEnv>): Promise<void> {
  const secret = secretIn(c);
  if (secret === undefined) return;
  await run(c.var.caller.db, deletedRecord(await keyOf(secret)));
  deleteCookie(c, COOKIE, ATTRIBUTES);
}
