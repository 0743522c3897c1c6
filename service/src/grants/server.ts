import {
  OAuthAuthorizationServer,
  type OAuthAuthorizationServerOptions,
  type TokenExchangeCallbackOptions,
} from "@cloudflare/workers-oauth-provider";
import { SCOPES } from "@engram/spec";
import type { openRecords } from "./records.ts";

/** The environment of the OAuth library, which keeps its records in it. */
export interface OAuthEnv {
  OAUTH_KV: Partial<ReturnType<typeof openRecords>>;
}

export type OAuthServer = OAuthAuthorizationServer<OAuthEnv>;

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * The resource that a token is for. Tokens of another address of the service, or of another service, are rejected.
 *
 * @param root URL of the service, without a slash at its end.
 */
export const resourceOf = (root: string): string => `${root}/mcp`;

/** Whether OAuth is possible at this address. It needs `https`, except on the same machine. */
export function allowsOAuth(root: string): boolean {
  const { protocol, hostname } = new URL(root);
  return protocol === "https:" || LOOPBACK.test(hostname);
}

/**
 * The authorization server of the service at this address.
 *
 * Its option for client metadata documents is off: the library follows redirects when it reads one, so a client could
 * name a domain of somebody else that redirects to its own. `openRecords` reads them instead.
 */
export function openServer(
  root: string,
  options: Pick<OAuthAuthorizationServerOptions<OAuthEnv>, "onError" | "tokenExchangeCallback"> = {},
): OAuthServer {
  return new OAuthAuthorizationServer<OAuthEnv>({
    ...options,
    issuer: root,
    resources: [resourceOf(root)],
    // Those that clients can get, and `admin` for the console.
    scopesSupported: [...SCOPES],
    // Some clients ignore the metadata and append these paths to the URL of the server.
    authorizeEndpoint: `${root}/authorize`,
    tokenEndpoint: `${root}/token`,
    clientRegistrationEndpoint: `${root}/register`,
    refreshTokenIdleTTL: 30 * 86_400,
  });
}

export type TokenRequest = TokenExchangeCallbackOptions<OAuthEnv>;
