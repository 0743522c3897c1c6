import { z } from "@hono/zod-openapi";
import { createRemoteJWKSet, errors, jwtVerify } from "jose";

/** The key that somebody stands for whom Cloudflare Access has let in. */
export interface AssertedKey {
  organizationId: string;
  keyId: string;
}

/** Whoever signs what Cloudflare Access says of those it lets in. */
export interface AccessIssuer {
  /**
   * The key that the configuration gives the service token which an assertion was made for. Null for an assertion
   * that is another's, too old or not for us, of a person, or of a service token that is not configured.
   *
   * @throws {AccessOutage} when the issuer's keys cannot be looked up.
   */
  readKey(assertion: string, nowMs: number): Promise<AssertedKey | null>;
}

/** The issuer does not answer, which says nothing of an assertion. */
export class AccessOutage extends Error {}

/** Variables of the deployment; see wrangler.toml. */
export interface AccessVariables {
  /** `https://TEAM.cloudflareaccess.com`; empty or unset: assertions are not looked at. */
  ACCESS_ISSUER?: string;
  /** Audience tag of the Access application. */
  ACCESS_AUDIENCE?: string;
  /** JSON: the organization and key of each service token, by its client id. */
  ACCESS_CLIENTS?: string;
}

const Clients = z.record(z.string(), z.strictObject({ organization_id: z.string(), key_id: z.string() }));

/** Where a team's domain publishes its keys. */
const KEYS_PATH = "/cdn-cgi/access/certs";
/** Access signs with nothing else. */
const ALGORITHMS = ["RS256"];
/** How long keys are kept, and how soon after they are looked up again for an assertion that names another. */
const KEPT_MS = 600_000;
const COOLDOWN_MS = 5_000;
const TIMEOUT_MS = 4_000;
/** jose's codes of a lookup that failed; its others say that the assertion is not right. */
const OUTAGES = ["ERR_JOSE_GENERIC", "ERR_JWKS_TIMEOUT", "ERR_JWKS_INVALID"];

type PublishedKeys = ReturnType<typeof createRemoteJWKSet>;

// State of the module, so that an isolate looks the keys up once; they are public.
const publishedKeys = new Map<string, PublishedKeys>();

/** Cloudflare Access in front of the deployment; null where none is configured. */
export function cloudflareAccess(variables: AccessVariables): AccessIssuer | null {
  const { ACCESS_ISSUER: issuer, ACCESS_AUDIENCE: audience } = variables;
  if (!issuer || !audience) return null;
  return {
    async readKey(assertion, nowMs) {
      const name = await readCommonName(assertion, { issuer, audience, nowMs });
      const clients = new Map(Object.entries(Clients.parse(JSON.parse(variables.ACCESS_CLIENTS || "{}"))));
      const client = name === null ? undefined : clients.get(name);
      return client === undefined ? null : { organizationId: client.organization_id, keyId: client.key_id };
    },
  };
}

/** What Access calls the client id of a service token; null when the assertion is not right, or of a person. */
async function readCommonName(
  assertion: string,
  expected: { issuer: string; audience: string; nowMs: number },
): Promise<string | null> {
  const { issuer, audience, nowMs } = expected;
  try {
    const { payload } = await jwtVerify(assertion, keysOf(issuer), {
      ...{ issuer, audience, algorithms: ALGORITHMS, requiredClaims: ["exp"] },
      currentDate: new Date(nowMs),
    });
    return typeof payload.common_name === "string" ? payload.common_name : null;
  } catch (error) {
    if (error instanceof errors.JOSEError && !OUTAGES.includes(error.code)) return null;
    throw new AccessOutage("the issuer's keys cannot be looked up", { cause: error });
  }
}

function keysOf(issuer: string): PublishedKeys {
  const known = publishedKeys.get(issuer);
  if (known !== undefined) return known;
  const keys = createRemoteJWKSet(new URL(KEYS_PATH, issuer), {
    cacheMaxAge: KEPT_MS,
    cooldownDuration: COOLDOWN_MS,
    timeoutDuration: TIMEOUT_MS,
  });
  publishedKeys.set(issuer, keys);
  return keys;
}
