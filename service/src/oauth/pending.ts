import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { insertedRecord, takenRecord } from "../grants/records-queries.ts";
import type { AppEnv } from "../invocation.ts";
import { createRandomText } from "../keys/secrets.ts";
import { sha256Hex } from "../platform/digest.ts";
import { run } from "../platform/sql.ts";
import { ATTRIBUTES } from "./sessions.ts";

/** What a browser comes back for: from the identity provider, or with the organization that the person chose. */
type Kind = "sign-in" | "choice";

const SECONDS = 600;

const cookieOf = async (kind: Kind, token: string): Promise<string> =>
  `engram-${kind}-${(await sha256Hex(token)).slice(0, 16)}`;

/** It takes both the token and the cookie to find the record: another browser has only one of them. */
const keyOf = async (kind: Kind, token: string, secret: string): Promise<string> =>
  `${kind}:${await sha256Hex(`${token} ${secret}`)}`;

/** Keeps a value for ten minutes, for this browser and this token. */
export async function keepPending(
  c: Context<AppEnv>,
  kind: Kind,
  token: string,
  value: unknown,
): Promise<void> {
  const { db, runtime } = c.var.caller;
  const secret = createRandomText(runtime);
  const record = {
    key: await keyOf(kind, token, secret),
    grant: null,
    value: JSON.stringify(value),
    metadata: null,
    expiresAtMs: runtime.nowMs() + SECONDS * 1_000,
  };
  await run(db, insertedRecord(record));
  setCookie(c, await cookieOf(kind, token), secret, { ...ATTRIBUTES, maxAge: SECONDS });
}

/** The value, once. Null for a token that is unknown, was used, is too old, or is of another browser. */
export async function takePending<T>(c: Context<AppEnv>, kind: Kind, token: string): Promise<T | null> {
  const name = await cookieOf(kind, token);
  const secret = getCookie(c, name, "host");
  if (secret === undefined) return null;
  deleteCookie(c, name, ATTRIBUTES);
  const { db, runtime } = c.var.caller;
  const value = await run(db, takenRecord(await keyOf(kind, token, secret), runtime.nowMs()));
  return value === null ? null : (JSON.parse(value) as T);
}
