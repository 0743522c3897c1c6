import { z } from "@hono/zod-openapi";

export interface OpenIdVariables {
  /** JSON of the OpenID Connect provider that signs people in: see {@link OpenIdConfig}. Empty or absent: none does. */
  OIDC?: string | undefined;
  /** Its client secret, if it is not in `OIDC`. */
  OIDC_CLIENT_SECRET?: string | undefined;
}

const ROLES = ["owner", "admin", "writer", "reader"] as const;
export type MappedRole = (typeof ROLES)[number];

const OrganizationId = z.string().regex(/^org_[0-9a-z]{1,32}$/, "must be the id of an organization, org_…");
const Claim = z.string().min(1);

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Whether a host is this machine, where no TLS is needed. */
export const isLoopback = (hostname: string): boolean => LOOPBACK.test(hostname);

function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || url.search + url.hash + url.username + url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
}

const OpenIdConfig = z
  .strictObject({
    issuer: z
      .string()
      .refine(isIssuer, "must be an https URL without user, query and fragment; http only on this machine"),
    client_id: z.string().min(1),
    client_secret: z.string().min(1).optional(),
    /** What the button says after "Sign in with". Default: the host of the issuer. */
    name: z.string().min(1).max(40).optional(),
    scopes: z.array(z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]+$/)).default(["openid", "email", "profile"]),
    /** Where people become members who are none yet: one organization, or by a claim. */
    organization: z
      .union([
        OrganizationId,
        z.strictObject({ claim: Claim, values: z.record(z.string(), OrganizationId).optional() }),
      ])
      .optional(),
    /** The role by a claim. The default cannot be a role that manages other people. */
    role: z
      .strictObject({
        claim: Claim,
        values: z.record(z.string(), z.enum(ROLES)),
        default: z.enum(["writer", "reader"]).optional(),
      })
      .optional(),
  })
  .refine(({ organization, role }) => organization === undefined || role !== undefined, {
    path: ["role"],
    message: "is needed with `organization`: nobody becomes a member without a role",
  });
export type OpenIdConfig = z.infer<typeof OpenIdConfig>;

/**
 * The configured provider; null without one.
 *
 * @throws {Error} if `OIDC` is invalid.
 */
export function openIdConfig({ OIDC, OIDC_CLIENT_SECRET }: OpenIdVariables): OpenIdConfig | null {
  if (!OIDC || OIDC.trim() === "{}") return null;
  const config = OpenIdConfig.parse(JSON.parse(OIDC));
  return { ...config, ...(OIDC_CLIENT_SECRET ? { client_secret: OIDC_CLIENT_SECRET } : {}) };
}

export const providerName = ({ name, issuer }: OpenIdConfig): string => name ?? new URL(issuer).host;

type Claims = Record<string, unknown>;

/** The claim with this name, or else at this path with dots between its parts. */
export function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split(".")
    .reduce<unknown>(
      (at, part) =>
        typeof at === "object" && at !== null && Object.hasOwn(at, part) ? (at as Claims)[part] : undefined,
      claims,
    );
}

function textsOf(claims: Claims, name: string): string[] {
  const value = claimOf(claims, name);
  return (Array.isArray(value) ? value : [value]).filter((one): one is string => typeof one === "string");
}

/** The organizations of which the claims make a person a member; null if organizations are not mapped. */
export function mappedOrganizations({ organization }: OpenIdConfig, claims: Claims): string[] | null {
  if (organization === undefined) return null;
  if (typeof organization === "string") return [organization];
  const { claim, values } = organization;
  const found = textsOf(claims, claim).flatMap((text) =>
    values === undefined ? text : (values[text] ?? []),
  );
  return [...new Set(found)].filter((id) => OrganizationId.safeParse(id).success);
}

/** The highest role that the claims give; null if they give none, undefined if roles are not mapped. */
export function mappedRole({ role }: OpenIdConfig, claims: Claims): MappedRole | null | undefined {
  if (role === undefined) return undefined;
  const found = textsOf(claims, role.claim).map((text) => role.values[text]);
  return ROLES.find((one) => found.includes(one)) ?? role.default ?? null;
}

/** The names of the claims that the mapping reads. */
export const mappedClaims = ({ organization, role }: OpenIdConfig): string[] => [
  ...(typeof organization === "object" ? [organization.claim] : []),
  ...(role === undefined ? [] : [role.claim]),
];
