import { z } from "@hono/zod-openapi";
import { createRemoteJWKSet, errors, jwtVerify } from "jose";

export interface AssertedKey {
  organizationId: string;
  keyId: string;
}

export interface AccessIssuer {
  /**
   * Null if the assertion, the signed token (JWT) that Cloudflare Access adds to a request, is invalid, expired, for
   * another application, of a person, or of a service token without a key.
   *
   * @throws {AccessOutage} if the signing keys of Access cannot be fetched.
   */
  readKey(assertion: string, nowMs: number): Promise<AssertedKey | null>;
}

/** An assertion cannot be checked, because the signing keys of Access cannot be fetched. */
export class AccessOutage extends Error {}

export interface AccessVariables {
  /** `https://TEAM.cloudflareaccess.com`. Empty or unset: assertions are ignored. */
  ACCESS_ISSUER?: string;
  ACCESS_AUDIENCE?: string;
  /** JSON: the organization and key of each service token, by its client id. */
  ACCESS_CLIENTS?: string;
}

const Clients = z.record(z.string(), z.strictObject({ organization_id: z.string(), key_id: z.string() }));

const KEYS_PATH = "/cdn-cgi/access/certs";
const ALGORITHMS = ["RS256"];
/** An assertion that names an unknown key has them fetched again, but at most once in `COOLDOWN_MS`. */
const TTL_MS = 600_000;
const COOLDOWN_MS = 5_000;
const TIMEOUT_MS = 4_000;
/** Error codes of the library jose if signing keys cannot be fetched. Any other means an invalid assertion. */
const OUTAGES = ["ERR_JOSE_GENERIC", "ERR_JWKS_TIMEOUT", "ERR_JWKS_INVALID"];

export type PublishedKeys = ReturnType<typeof createRemoteJWKSet>;

/** Null if the deployment has no Access application. */
export function cloudflareAccess(
  variables: AccessVariables,
  publishedKeys: Map<string, PublishedKeys>,
): AccessIssuer | null {
  const { ACCESS_ISSUER: issuer, ACCESS_AUDIENCE: audience } = variables;
  if (!issuer || !audience) return null;
  return {
    async readKey(assertion, nowMs) {
      const name = await readCommonName(assertion, {
        keys: keysOf(issuer, publishedKeys),
        issuer,
        audience,
        nowMs,
      });
      const clients = new Map(Object.entries(Clients.parse(JSON.parse(variables.ACCESS_CLIENTS || "{}"))));
      const client = name === null ? undefined : clients.get(name);
      return client === undefined ? null : { organizationId: client.organization_id, keyId: client.key_id };
    },
  };
}

/** Null when the assertion is invalid or of a person. */
async function readCommonName(
  assertion: string,
  expected: { keys: PublishedKeys; issuer: string; audience: string; nowMs: number },
): Promise<string | null> {
  const { keys, issuer, audience, nowMs } = expected;
  try {
    const { payload } = await jwtVerify(assertion, keys, {
      ...{ issuer, audience, algorithms: ALGORITHMS, requiredClaims: ["exp"] },
      currentDate: new Date(nowMs),
    });
    return typeof payload.common_name === "string" ? payload.common_name : null;
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
