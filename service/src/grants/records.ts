import { AuthorizationError } from "@cloudflare/workers-oauth-provider";
import type { Invocation } from "../invocation.ts";
import { sha256Hex } from "../platform/digest.ts";
import { batch, run } from "../platform/sql.ts";
import type { GrantPlace } from "./queries.ts";
import * as queries from "./records-queries.ts";
import { endConsoleGrant, endGrant } from "./service.ts";

/** Another request changed a record since this one read it. Repeating the request reads what that one wrote. */
export class RecordConflict extends Error {}

/** Time after which a client that registered itself is forgotten, if nobody has allowed it anything. */
const UNUSED_CLIENT_MS = 7 * 86_400_000;
/** Time for which the second of two processes that refresh with one token gets a token of its own. */
const SHARED_REFRESH_MS = 60_000;
/** Refresh tokens of one grant that are valid at once. */
const REFRESH_TOKENS_MAX = 4;

const OF_GRANT = /^(?:grant|token):(org_[0-9a-z]+)\.(grant_[0-9a-z]+):/;

/** The user id that the OAuth library writes into the tokens of a grant. It is not secret. */
export const tokenOwnerOf = ({ organizationId, id }: GrantPlace): string => `${organizationId}.${id}`;

/** The grant that such a user id names. */
export const placeOf = (tokenOwner: string): GrantPlace | null => grantIn(`grant:${tokenOwner}:`);

/** The grant to which the record of a key belongs; null for clients and pages of consent. */
function grantIn(key: string): GrantPlace | null {
  const [, organizationId, id] = OF_GRANT.exec(key) ?? [];
  return organizationId === undefined || id === undefined ? null : { organizationId, id };
}

/** The database that has a record: that of the grant's organization, or the directory. */
export function dbOfRecord({ at, directory }: Invocation, key: string): D1Database {
  const grant = grantIn(key);
  return grant === null ? directory : at(grant.organizationId).db;
}

/** Whether a text has the form of an access token. */
export const isAccessToken = (text: string): boolean =>
  /^[^:]+:[\w-]{16}:[\w-]{32}$/.test(text) && placeOf(text.slice(0, text.indexOf(":"))) !== null;

/** The fields of a grant's record that have to do with refresh tokens. `others` and `rotatedAtMs` are ours. */
interface GrantRecord {
  refreshTokenId?: string;
  refreshTokenWrappedKey?: string;
  previousRefreshTokenId?: string;
  rotatedAtMs?: number;
  others?: { id: string; key: string }[];
}

interface PutOptions {
  expiration?: number;
  expirationTtl?: number;
  metadata?: unknown;
}

/**
 * The records of the OAuth library, with the methods of Workers KV that it uses. For one request.
 *
 * Unlike KV, a record can be changed only if it is as this request has read it. So of two requests that redeem one code,
 * or of a refresh and a deletion of its grant, the second sees what the first did.
 *
 * @param refreshToken The one that the request sends, if any.
 */
export function openRecords(
  invocation: Invocation,
  {
    clients = {},
    refreshToken,
    readDocument,
  }: {
    /** Clients of the operator, by id. */
    clients?: Record<string, unknown>;
    refreshToken?: string | undefined;
    /** Reads the client whose id is the URL of its metadata document. */
    readDocument?: (url: string) => Promise<unknown>;
  } = {},
) {
  const { runtime } = invocation;
  const dbOf = (key: string) => dbOfRecord(invocation, key);
  const read = new Map<string, queries.StoredRecord>();

  const get = async (key: string, options?: { type?: string } | string): Promise<unknown> => {
    const clientId = key.startsWith("client:") ? key.slice("client:".length) : null;
    if (clientId !== null && Object.hasOwn(clients, clientId)) return clients[clientId];
    if (clientId?.startsWith("https://")) return (await readDocument?.(clientId)) ?? null;
    const stored = await run(dbOf(key), queries.recordOf(key, runtime.nowMs()));
    if (stored === null) return null;
    read.set(key, stored);
    const isJson = (typeof options === "string" ? options : options?.type) === "json";
    if (!isJson) return stored.value;
    const value = JSON.parse(stored.value) as unknown;
    const isRefreshed = key.startsWith("grant:") && refreshToken !== undefined;
    return isRefreshed ? withCurrent(value as GrantRecord, await sha256Hex(refreshToken)) : value;
  };

  const put = async (key: string, text: string, options: PutOptions = {}): Promise<void> => {
    const nowMs = runtime.nowMs();
    const before = read.get(key);
    const grant = grantIn(key);
    const seconds = options.expirationTtl;
    const expiresAtMs =
      key.startsWith("client:") && before === undefined
        ? nowMs + UNUSED_CLIENT_MS
        : seconds === undefined
          ? (options.expiration ?? 0) * 1_000
          : nowMs + seconds * 1_000;
    const record = {
      key,
      grant,
      value: key.startsWith("grant:") ? withOthers(text, before?.value, nowMs) : text,
      metadata: options.metadata === undefined ? null : JSON.stringify(options.metadata),
      expiresAtMs,
    };
    const { written } = await batch(dbOf(key), {
      written:
        before === undefined
          ? queries.insertedRecord(record)
          : queries.replacedRecord(record, before.version),
      grant: grant !== null && key.startsWith("grant:") ? queries.expiringGrant(grant, expiresAtMs) : null,
    });
    if (written === 0) throw new RecordConflict(key.slice(0, key.indexOf(":")));
    if (before !== undefined) read.set(key, { value: record.value, version: before.version + 1 });
  };

  const remove = async (key: string): Promise<void> => {
    const grant = grantIn(key);
    if (grant !== null && key.startsWith("grant:")) {
      await endGrant(invocation, grant);
      return;
    }
    // The console has one token for each sign-in.
    if (grant !== null && (await endConsoleGrant(invocation, grant))) return;
    const deleted = await run(dbOf(key), queries.deletedRecord(key));
    if (grant !== null) invocation.caches.principals.forget(({ grantId }) => grantId === grant.id);
    // Two requests can read a page of consent before one uses it up.
    if (deleted === 0 && key.startsWith("transaction:"))
      throw new AuthorizationError("invalid_request", {
        description: "This page was already used; start again",
      });
  };

  const list = async ({ prefix = "", cursor = "", limit = 1_000 }) => {
    const page = { prefix, afterKey: cursor, nowMs: runtime.nowMs(), limit: limit + 1 };
    const found = await run(dbOf(prefix), queries.recordsWith(page));
    const keys = found.slice(0, limit).map(({ name, metadata }) => ({
      name,
      ...(metadata === null ? {} : { metadata: JSON.parse(metadata) as unknown }),
    }));
    return found.length > limit
      ? { keys, list_complete: false, cursor: keys.at(-1)?.name }
      : { keys, list_complete: true };
  };

  return { get, put, delete: remove, list };
}

/** The record as if the token, one of those that are valid, were its only one. */
function withCurrent(record: GrantRecord, tokenId: string): GrantRecord {
  const { refreshTokenId, refreshTokenWrappedKey, others = [] } = record;
  const own = others.find(({ id }) => id === tokenId);
  if (own === undefined || refreshTokenId === undefined || refreshTokenWrappedKey === undefined)
    return record;
  return {
    ...record,
    refreshTokenId: own.id,
    refreshTokenWrappedKey: own.key,
    others: [...others.filter((one) => one !== own), { id: refreshTokenId, key: refreshTokenWrappedKey }],
  };
}

/**
 * Keeps the token that the first of two processes got when the second refreshes with the same one. The library would
 * keep only the newer. A token that was stolen and is used later still ends the one that replaced it.
 */
function withOthers(text: string, before: string | undefined, nowMs: number): string {
  const record = JSON.parse(text) as GrantRecord;
  const stored = before === undefined ? {} : (JSON.parse(before) as GrantRecord);
  if (record.refreshTokenId === stored.refreshTokenId) return text;
  const { refreshTokenId: id, refreshTokenWrappedKey: key, rotatedAtMs = 0 } = stored;
  const isShared =
    record.previousRefreshTokenId !== undefined &&
    record.previousRefreshTokenId === stored.previousRefreshTokenId &&
    nowMs - rotatedAtMs < SHARED_REFRESH_MS;
  const others = record.others ?? [];
  const kept = isShared && id !== undefined && key !== undefined ? [...others, { id, key }] : others;
  return JSON.stringify({ ...record, rotatedAtMs: nowMs, others: kept.slice(1 - REFRESH_TOKENS_MAX) });
}
