import { OAuthError } from "@cloudflare/workers-oauth-provider";
import { CONSOLE_CLIENT_ID } from "@engram/spec";
import type { Context } from "hono";
import { notFound } from "../errors.ts";
import { openRecords, placeOf } from "../grants/records.ts";
import { allowsOAuth, type OAuthEnv, type OAuthServer, openServer } from "../grants/server.ts";
import { publicUrl } from "../http/public-urls.ts";
import type { AppEnv, Env, OAuthClient } from "../invocation.ts";
import { findGrant } from "../keys/service.ts";
import { consoleClient, documentReader, operatorClients, type ReadDocument } from "./clients.ts";

const ACCESS_TOKEN_SECONDS = 3_600;
/** Time for which a member is signed in to the console, which does not refresh its token. */
const CONSOLE_SECONDS = 12 * 3_600;
/** The library gives no token that ends sooner. */
const TOKEN_SECONDS_MIN = 60;

/** The authorization server as one request uses it. */
export interface OAuthContext {
  /** URL of the service, and of the authorization server. */
  root: string;
  server: OAuthServer;
  env: OAuthEnv & Env;
  clients: Record<string, OAuthClient>;
  /** Null where clients cannot have metadata documents. */
  readDocument: ReadDocument | null;
}

/**
 * @param refreshToken The one that the request sends, if any.
 * @throws {ApiError} `not_found` at an address that OAuth does not allow.
 */
export function openOAuth(c: Context<AppEnv>, refreshToken?: string): OAuthContext {
  const root = publicUrl(c);
  if (!allowsOAuth(root)) throw notFound("resource");
  const { caller } = c.var;
  const clients = { ...operatorClients(c.env), ...consoleClient(root) };
  const readDocument = documentReader(c.env, caller);
  const records = openRecords(caller, { clients, refreshToken, ...(readDocument ? { readDocument } : {}) });
  const server = openServer(root, {
    onError: ({ code, internal }) =>
      caller.log.info("oauth refused", { code, category: internal.category, reason: internal.reason }),
    tokenExchangeCallback: async ({ userId, clientId, requestedScope }) => {
      const isConsole = clientId === CONSOLE_CLIENT_ID;
      const place = placeOf(userId);
      const holder = place && (await findGrant(caller, place));
      const leftMs = (holder?.expiresAtMs ?? Number.POSITIVE_INFINITY) - caller.runtime.nowMs();
      const usualSeconds = isConsole ? CONSOLE_SECONDS : ACCESS_TOKEN_SECONDS;
      const seconds = Math.min(usualSeconds, Math.floor(leftMs / 1_000));
      // The library then also deletes the grant.
      if (!holder || seconds < TOKEN_SECONDS_MIN)
        throw new OAuthError("invalid_grant", { description: "The key of the grant is not active any more" });
      return {
        accessTokenScope: requestedScope.filter((scope) => holder.scopes.some((held) => held === scope)),
        accessTokenTTL: seconds,
        ...(isConsole ? { refreshTokenTTL: 0 } : {}),
      };
    },
  });
  return { root, server, env: { ...c.env, OAUTH_KV: records }, clients, readDocument };
}
