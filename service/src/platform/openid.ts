import { z } from "@hono/zod-openapi";
import * as oauth from "oauth4webapi";
import {
  claimOf,
  isLoopback,
  type MappedRole,
  mappedClaims,
  mappedOrganizations,
  mappedRole,
  type OpenIdConfig,
  providerName,
} from "./openid-config.ts";

/** A person, as an identity provider names and describes them. */
export interface Identity {
  issuer: string;
  /** Unique at the issuer, and never another person's. */
  subject: string;
  /** In lower case. Null unless the issuer says that it is verified. */
  email: string | null;
  name: string | null;
  /** Organizations of which the operator's configuration makes this person a member; null if it maps none. */
  organizationIds: string[] | null;
  /** The role that the configuration gives; null if it gives none, undefined if it maps no roles. */
  role: MappedRole | null | undefined;
}

/** The provider does not respond, or not as a provider. */
export class ProviderOutage extends Error {}

/** The provider did not sign the person in, or what it says is not valid. The message can be shown. */
export class SignInRefused extends Error {}

/** What is kept of a sign-in while the person is at the provider. */
export interface PendingSignIn {
  state: string;
  nonce: string;
  /** Of PKCE. */
  verifier: string;
  redirectUri: string;
}

export interface OpenIdProvider {
  /** What people know it by. */
  name: string;
  /**
   * URL to which the browser is sent.
   *
   * @param isOther Whether the person wants to use another account than the one they are signed in with there.
   * @throws {ProviderOutage}
   */
  begin(pending: PendingSignIn, isOther: boolean): Promise<URL>;
  /**
   * Redeems the code of the redirect back, and verifies who signed in.
   *
   * @throws {ProviderOutage}
   * @throws {SignInRefused}
   */
  finish(pending: PendingSignIn, parameters: URLSearchParams): Promise<Identity>;
}

/** The metadata of providers, by issuer. The library keeps the signing keys with them. */
export type KnownProviders = Map<string, { metadata: oauth.AuthorizationServer; untilMs: number }>;

const TIMEOUT_MS = 5_000;
const BODY_BYTES_MAX = 500_000;
/** How long metadata is used. The library fetches signing keys again after 5 minutes, or 1 for an unknown one. */
const METADATA_MS = 3_600_000;
/** Difference of clocks that is allowed. */
const TOLERANCE_SECONDS = 30;
/** The signatures that are verified, with the hash of `at_hash`. Secrets and `none` are never accepted. */
const ALGORITHMS: Record<string, string> = {
  RS256: "SHA-256",
  ES256: "SHA-256",
  EdDSA: "SHA-512",
  Ed25519: "SHA-512",
};
const Email = z.email().max(254);
const SUBJECT_CHARACTERS_MAX = 255;
const NAME_CHARACTERS_MAX = 200;

/**
 * @param root URL of the service. Only a service on this machine uses a provider on it without TLS.
 * @param from Sends the requests.
 */
export function openIdProvider(
  config: OpenIdConfig,
  input: { root: string; from: Pick<Fetcher, "fetch">; known: KnownProviders; nowMs: () => number },
): OpenIdProvider {
  const allowsHttp = isLoopback(new URL(config.issuer).hostname) && isLoopback(new URL(input.root).hostname);
  const client: oauth.Client = {
    client_id: config.client_id,
    // The clock of the service, which tests set.
    [oauth.clockSkew]: Math.round((input.nowMs() - Date.now()) / 1_000),
    [oauth.clockTolerance]: TOLERANCE_SECONDS,
  };
  const options = {
    [oauth.customFetch]: safeFetch(input.from, allowsHttp),
    [oauth.allowInsecureRequests]: allowsHttp,
  };
  const name = providerName(config);

  const discover = async (): Promise<oauth.AuthorizationServer> => {
    const held = input.known.get(config.issuer);
    if (held !== undefined && held.untilMs > input.nowMs()) return held.metadata;
    const url = new URL(config.issuer);
    try {
      const response = await oauth.discoveryRequest(url, options);
      const found = await oauth.processDiscoveryResponse(url, response);
      for (const endpoint of ["token_endpoint", "jwks_uri", "userinfo_endpoint"] as const)
        if (found[endpoint] !== undefined) endpointOf(found[endpoint], allowsHttp);
      const offered = found.id_token_signing_alg_values_supported ?? ["RS256"];
      const metadata = {
        ...found,
        id_token_signing_alg_values_supported: offered.filter((one) => Object.hasOwn(ALGORITHMS, one)),
      };
      input.known.clear();
      input.known.set(config.issuer, { metadata, untilMs: input.nowMs() + METADATA_MS });
      return metadata;
    } catch (error) {
      throw new ProviderOutage("the metadata cannot be read", { cause: error });
    }
  };

  return {
    name,
    async begin({ state, nonce, verifier, redirectUri }, isOther) {
      const metadata = await discover();
      const url = endpointOf(metadata.authorization_endpoint, allowsHttp);
      const prompt = isOther ? promptOf(metadata) : null;
      const challenge = await oauth.calculatePKCECodeChallenge(verifier);
      for (const [key, value] of Object.entries({
        ...{ client_id: config.client_id, response_type: "code", redirect_uri: redirectUri, state, nonce },
        scope: [...new Set(["openid", ...config.scopes])].join(" "),
        ...{ code_challenge: challenge, code_challenge_method: "S256" },
        ...(prompt === null ? {} : { prompt }),
      }))
        url.searchParams.set(key, value);
      return url;
    },

    async finish(pending, parameters) {
      const metadata = await discover();
      try {
        const claims = await redeem(metadata, pending, parameters);
        return identityOf(config, { ...claims, iss: metadata.issuer });
      } catch (error) {
        if (error instanceof ProviderOutage) throw error;
        throw new SignInRefused(reasonOf(error, name), { cause: error });
      }
    },
  };

  async function redeem(
    metadata: oauth.AuthorizationServer,
    { state, nonce, verifier, redirectUri }: PendingSignIn,
    parameters: URLSearchParams,
  ): Promise<oauth.IDToken> {
    const answered = oauth.validateAuthResponse(metadata, client, parameters, state);
    const proof = authenticationOf(metadata, config.client_secret);
    const response = await oauth.authorizationCodeGrantRequest(
      ...([metadata, client, proof, answered, redirectUri, verifier, options] as const),
    );
    const tokens = await oauth.processAuthorizationCodeResponse(metadata, client, response, {
      expectedNonce: nonce,
    });
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    if (claims === undefined || tokens.id_token === undefined) throw new Error("there is no ID token");
    await oauth.validateApplicationLevelSignature(metadata, response, options);
    if (claims.azp !== undefined && claims.azp !== config.client_id)
      throw new Error("the ID token is of another client");
    if (claims.iat > input.nowMs() / 1_000 + TOLERANCE_SECONDS)
      throw new Error("the ID token is of the future");
    await verifyHash(claims.at_hash, tokens);
    const wanted = ["email", "name", ...mappedClaims(config)];
    const isComplete = wanted.every((one) => claimOf(claims, one) !== undefined);
    if (isComplete || metadata.userinfo_endpoint === undefined) return claims;
    const answer = await oauth.userInfoRequest(metadata, client, tokens.access_token, options);
    return { ...(await oauth.processUserInfoResponse(metadata, client, claims.sub, answer)), ...claims };
  }
}

/** Fetches without following redirects, for a limited time, and reads a body of limited size. */
const safeFetch =
  (from: Pick<Fetcher, "fetch">, allowsHttp: boolean) =>
  async (
    address: string,
    init: oauth.CustomFetchOptions<string, BodyInit | undefined>,
  ): Promise<Response> => {
    const url = endpointOf(address, allowsHttp);
    try {
      const response = await from.fetch(url, {
        ...(init as RequestInit),
        redirect: "manual",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const body = await readBytes(response);
      if (response.status >= 500 || response.status === 429)
        throw new Error(`the status is ${response.status}`);
      return new Response(response.status === 204 || response.status === 304 ? null : body, response);
    } catch (error) {
      throw new ProviderOutage(`there is no response of ${url.host}`, { cause: error });
    }
  };

async function readBytes({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > BODY_BYTES_MAX) throw new Error("the response is too large");
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer());
}

/** @throws {ProviderOutage} for a URL that the metadata should not have. */
function endpointOf(address: string | undefined, allowsHttp: boolean): URL {
  const url = URL.parse(address ?? "");
  const isSafe =
    url?.protocol === "https:" || (allowsHttp && url?.protocol === "http:" && isLoopback(url.hostname));
  if (url === null || !isSafe) throw new ProviderOutage("the metadata names no safe endpoint");
  return url;
}

function authenticationOf(metadata: oauth.AuthorizationServer, secret: string | undefined): oauth.ClientAuth {
  if (secret === undefined) return oauth.None();
  const methods = metadata.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
  return methods.includes("client_secret_basic")
    ? oauth.ClientSecretBasic(secret)
    : oauth.ClientSecretPost(secret);
}

/** How the person is asked for another account. Google knows `select_account` alone, and does not say so. */
function promptOf({ issuer, prompt_values_supported }: oauth.AuthorizationServer): string {
  const canSelect =
    issuer === "https://accounts.google.com" ||
    (Array.isArray(prompt_values_supported) && prompt_values_supported.includes("select_account"));
  return canSelect ? "select_account" : "login";
}

/** The library does not verify the hash of the access token, which a provider may leave out. */
async function verifyHash(expected: unknown, tokens: oauth.TokenEndpointResponse): Promise<void> {
  if (expected === undefined) return;
  const [header = ""] = (tokens.id_token ?? "").split(".");
  const { alg } = JSON.parse(atob(header.replaceAll("-", "+").replaceAll("_", "/"))) as { alg: string };
  const bytes = new TextEncoder().encode(tokens.access_token);
  const digest = new Uint8Array(await crypto.subtle.digest(ALGORITHMS[alg] ?? "", bytes));
  const hash = btoa(String.fromCharCode(...digest.subarray(0, digest.length / 2)));
  if (hash.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "") !== expected)
    throw new Error("the access token is not the one of the ID token");
}

function identityOf(config: OpenIdConfig, claims: Record<string, unknown>): Identity {
  const { iss, sub } = claims;
  if (typeof iss !== "string" || typeof sub !== "string" || sub === "" || sub.length > SUBJECT_CHARACTERS_MAX)
    throw new Error("the ID token names nobody");
  return {
    issuer: iss,
    subject: sub,
    email: isEmailVerified(iss, claims) ? emailOf(claims.email) : null,
    name: nameOf(claims),
    organizationIds: mappedOrganizations(config, claims),
    role: mappedRole(config, claims),
  };
}

/** Microsoft has a claim of its own: anybody can enter any address in a tenant of theirs. */
const isEmailVerified = (issuer: string, { email_verified, xms_edov }: Record<string, unknown>): boolean =>
  email_verified === true ||
  email_verified === "true" ||
  (issuer.startsWith("https://login.microsoftonline.com/") &&
    [true, "true", 1, "1"].some((yes) => yes === xms_edov));

/** The address in lower case; null if it is none. */
export function emailOf(claim: unknown): string | null {
  const { data } = Email.safeParse(claim);
  return data?.toLowerCase() ?? null;
}

function nameOf({ name, preferred_username }: Record<string, unknown>): string | null {
  const found = [name, preferred_username].find((one) => typeof one === "string" && one.trim() !== "");
  return typeof found === "string" ? found.trim().slice(0, NAME_CHARACTERS_MAX) : null;
}

function reasonOf(error: unknown, name: string): string {
  if (error instanceof oauth.AuthorizationResponseError)
    return error.error === "access_denied"
      ? `${name} did not sign you in: access was denied`
      : `${name} did not sign you in: ${error.error.slice(0, 80)}`;
  if (error instanceof oauth.ResponseBodyError)
    return `${name} refused the sign-in: ${error.error.slice(0, 80)}`;
  return `What ${name} says about you is not valid`;
}
