import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { assertRecord, deletedRecord, insertedRecord, recordOf } from "../grants/records-queries.ts";
import type { AppEnv } from "../invocation.ts";
import { createRandomText } from "../keys/secrets.ts";
import { sha256Hex } from "../platform/digest.ts";
import { run } from "../platform/sql.ts";
import { findMember, type Signer } from "./signers.ts";

/** Time for which a browser stays signed in, at the longest. */
const SESSION_SECONDS = 30 * 86_400;
/** Time for a person whom an identity provider has named, to decide. */
const ONCE_SECONDS = 600;
const COOKIE = "engram-session";
/** A cookie with this prefix is of this host alone, and browsers send it over no plain connection to another machine. */
export const ATTRIBUTES = {
  prefix: "host",
  path: "/",
  secure: true,
  httpOnly: true,
  sameSite: "Lax",
} as const;

const keyOf = async (secret: string): Promise<string> => `session:${await sha256Hex(secret)}`;

/** A session is stored with its member, so its secret names their organization. */
function secretIn(c: Context<AppEnv>): { secret: string; db: D1Database } | null {
  const secret = getCookie(c, COOKIE, "host");
  const organizationId = /^(org_[0-9a-z]+)\./.exec(secret ?? "")?.[1];
  return secret === undefined || organizationId === undefined
    ? null
    : { secret, db: c.var.caller.at(organizationId).db };
}

/** What is stored of a session. */
interface Session {
  organizationId: string;
  keyId: string;
  /** Whether it ends when the member allows something. */
  isOnce: boolean;
}

/**
 * Keeps a member signed in, in this browser, on the pages that ask who may have access: for the next thing that they
 * allow, or for longer.
 */
export async function openSession(
  c: Context<AppEnv>,
  { organizationId, keyId }: { organizationId: string; keyId: string },
  { isOnce = false }: { isOnce?: boolean } = {},
): Promise<void> {
  const { at, runtime } = c.var.caller;
  const secret = `${organizationId}.${createRandomText(runtime)}`;
  const seconds = isOnce ? ONCE_SECONDS : SESSION_SECONDS;
  const record = {
    key: await keyOf(secret),
    grant: null,
    value: JSON.stringify({ organizationId, keyId, isOnce } satisfies Session),
    metadata: null,
    expiresAtMs: runtime.nowMs() + seconds * 1_000,
  };
  await run(at(organizationId).db, insertedRecord(record));
  setCookie(c, COOKIE, secret, { ...ATTRIBUTES, maxAge: seconds });
}

/** The member who is signed in; null if nobody is, or if they were removed meanwhile. */
export async function readSession(c: Context<AppEnv>): Promise<Signer | null> {
  const held = secretIn(c);
  if (held === null) return null;
  const { runtime } = c.var.caller;
  const key = await keyOf(held.secret);
  const record = await run(held.db, recordOf(key, runtime.nowMs()));
  if (record === null) return null;
  const session = JSON.parse(record.value) as Session;
  const signer = await findMember(c.var.caller, session);
  if (signer === null || !session.isOnce) return signer;
  const use = { valid: assertRecord(key, runtime.nowMs()), used: deletedRecord(key) };
  return { ...signer, guard: { ...signer.guard, ...use } };
}

export async function endSession(c: Context<AppEnv>): Promise<void> {
  const held = secretIn(c);
  if (held === null) return;
  await run(held.db, deletedRecord(await keyOf(held.secret)));
  deleteCookie(c, COOKIE, ATTRIBUTES);
}
