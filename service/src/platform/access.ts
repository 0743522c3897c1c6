import { z } from "@hono/zod-openapi";
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from "jose";

export interface AssertedKey {
  organizationId: string;
  keyId: string;
}

/** A person, as Access names them. */
export interface AssertedPerson {
  issuer: string;
  subject: string;
  /** As the person has proved it to Access. */
  email: string;
  name: string | null;
}

export interface AccessIssuer {
  /**
   * Reads which key an assertion stands for. An assertion is the signed token (JWT) that Cloudflare Access adds to a
   * request. Null if it is invalid, expired, for another application, of a person, or of a service token without a key.
   *
   * @throws {AccessOutage} if the signing keys of Access cannot be fetched.
   * @throws {Error} if `ACCESS_CLIENTS` is invalid.
   */
  readKey(assertion: string, nowMs: number): Promise<AssertedKey | null>;
  /**
   * Reads which person an assertion is of. Null if it is invalid, expired, for another application, or of a service
   * token.
   *
   * @throws {AccessOutage} if the signing keys of Access cannot be fetched.
   */
  readPerson(assertion: string, nowMs: number): Promise<AssertedPerson | null>;
}

/** An assertion cannot be checked, because the signing keys of Access cannot be fetched. */
export class AccessOutage extends Error {}

export interface AccessVariables {
  /** `https://TEAM.cloudflareaccess.com`. If this or `ACCESS_AUDIENCE` is empty or unset, assertions are ignored. */
  ACCESS_ISSUER?: string;
  ACCESS_AUDIENCE?: string;
  /** JSON object with the organization and key for each service token, by the client id of the token. */
  ACCESS_CLIENTS?: string;
}

const Clients = z.record(z.string(), z.strictObject({ organization_id: z.string(), key_id: z.string() }));

/** The subject of a service token is empty. */
const Person = z.object({
  type: z.literal("app"),
  sub: z.string().min(1).max(255),
  email: z.email().max(254),
  name: z.string().optional(),
});

const KEYS_PATH = "/cdn-cgi/access/certs";
const ALGORITHMS = ["RS256"];
/**
 * How long fetched signing keys are used. An assertion that names an unknown signing key causes an earlier fetch, but
 * at most once in `COOLDOWN_MS`.
 */
const TTL_MS = 600_000;
const COOLDOWN_MS = 5_000;
const TIMEOUT_MS = 4_000;
/**
 * Error codes of the library jose if signing keys cannot be fetched. Any other code means that the assertion is
 * invalid.
 */
const OUTAGES = ["ERR_JOSE_GENERIC", "ERR_JWKS_TIMEOUT", "ERR_JWKS_INVALID"];

export type PublishedKeys = ReturnType<typeof createRemoteJWKSet>;

/** Null if the deployment does not use Cloudflare Access. */
export function cloudflareAccess(
  variables: AccessVariables,
  publishedKeys: Map<string, PublishedKeys>,
): AccessIssuer | null {
  const { ACCESS_ISSUER: issuer, ACCESS_AUDIENCE: audience } = variables;
  if (!issuer || !audience) return null;
  const readClaims = (assertion: string, nowMs: number) =>
    verify(assertion, { keys: keysOf(issuer, publishedKeys), issuer, audience, nowMs });
  return {
    async readKey(assertion, nowMs) {
      const claims = await readClaims(assertion, nowMs);
      // The client id of a service token. A person has none.
      const name = typeof claims?.common_name === "string" ? claims.common_name : null;
      const clients = new Map(Object.entries(Clients.parse(JSON.parse(variables.ACCESS_CLIENTS || "{}"))));
      const client = name === null ? undefined : clients.get(name);
      return client === undefined ? null : { organizationId: client.organization_id, keyId: client.key_id };
    },
    async readPerson(assertion, nowMs) {
      const claims = await readClaims(assertion, nowMs);
      if (claims === null || claims.common_name !== undefined) return null;
      const { data } = Person.safeParse(claims);
      return data
        ? { issuer, subject: data.sub, email: data.email.toLowerCase(), name: data.name ?? null }
        : null;
    },
  };
}

/**
 * The claims of the assertion. Null if it is invalid.
 *
 * @throws {AccessOutage} if the signing keys cannot be fetched.
 */
async function verify(
  assertion: string,
  expected: { keys: PublishedKeys; issuer: string; audience: string; nowMs: number },
): Promise<JWTPayload | null> {
  const { keys, issuer, audience, nowMs } = expected;
  try {
    const { payload } = await jwtVerify(assertion, keys, {
      ...{ issuer, audience, algorithms: ALGORITHMS, requiredClaims: ["exp"] },
      currentDate: new Date(nowMs),
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JOSEError && !OUTAGES.includes(error.code)) return null;
    throw new AccessOutage("the issuer's keys cannot be looked up", { cause: error });
  }
}

function keysOf(issuer: string, publishedKeys: Map<string, PublishedKeys>): PublishedKeys {
  const known = publishedKeys.get(issuer);
  if (known !== undefined) return known;
  const keys = createRemoteJWKSet(new URL(KEYS_PATH, issuer), {
    cacheMaxAge: TTL_MS,
    cooldownDuration: COOLDOWN_MS,
    timeoutDuration: TIMEOUT_MS,
  });
  publishedKeys.set(issuer, keys);
  return keys;
}
