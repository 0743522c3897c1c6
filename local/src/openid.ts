import { StartError } from "./start/start-error.ts";

const ROLES = ["owner", "admin", "writer", "reader"];
const ROLES_BY_DEFAULT = ["writer", "reader"];
const FIELDS = ["issuer", "client_id", "client_secret", "name", "scopes", "organization", "role"];
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const NAME_CHARACTERS_MAX = 40;

/**
 * Variables of the service's Worker for an OpenID Connect provider that signs people in. Without one, they override
 * those of a deployment.
 *
 * @throws {StartError} If `ENGRAM_OIDC` is invalid.
 */
export function readOpenIdVars(env: Record<string, string | undefined>): Record<string, string> {
  const { ENGRAM_OIDC: json = "", ENGRAM_OIDC_CLIENT_SECRET: secret = "" } = env;
  if (json === "" && secret !== "") throw new StartError("ENGRAM_OIDC_CLIENT_SECRET needs ENGRAM_OIDC, too.");
  const mistake = json === "" ? null : openIdMistake(json);
  if (mistake !== null) throw new StartError(`ENGRAM_OIDC ${mistake}`);
  return { OIDC: json, OIDC_CLIENT_SECRET: secret };
}

/** What is wrong with the JSON of a provider, as the end of a sentence; null if nothing is. */
export function openIdMistake(json: string): string | null {
  let config: unknown;
  try {
    config = JSON.parse(json);
  } catch {
    config = undefined;
  }
  if (!isObject(config)) return 'must be JSON like {"issuer":"https://accounts.google.com","client_id":"…"}.';
  if (Object.keys(config).length === 0) return null;
  const { issuer, client_id, client_secret, name, scopes, organization, role } = config;
  const unknown = Object.keys(config).find((field) => !FIELDS.includes(field));
  if (unknown !== undefined) return `has "${unknown}", which is none of: ${FIELDS.join(", ")}.`;
  if (!isIssuer(issuer))
    return "needs an `issuer`: an https URL without user, query and fragment. On this machine, http is possible.";
  if (!isText(client_id)) return "needs a `client_id`.";
  if (client_secret !== undefined && !isText(client_secret))
    return "has a `client_secret` that is not a text.";
  if (name !== undefined && !(isText(name) && name.length <= NAME_CHARACTERS_MAX))
    return `has a \`name\` that is not a text of at most ${NAME_CHARACTERS_MAX} characters.`;
  if (scopes !== undefined && !(Array.isArray(scopes) && scopes.every(isScope)))
    return 'has `scopes` that are not a list like ["openid","email","profile"].';
  return organizationMistake(organization) ?? roleMistake(role, organization !== undefined);
}

function organizationMistake(organization: unknown): string | null {
  if (organization === undefined || isOrganizationId(organization)) return null;
  const isMapping =
    isObject(organization) &&
    hasOnly(organization, ["claim", "values"]) &&
    isText(organization.claim) &&
    (organization.values === undefined || isMap(organization.values, isOrganizationId));
  return isMapping
    ? null
    : 'has an `organization` that is neither "org_…" nor like {"claim":"tenant","values":{"acme":"org_…"}}.';
}

function roleMistake(role: unknown, isNeeded: boolean): string | null {
  if (role === undefined)
    return isNeeded ? "needs a `role` with the `organization`: nobody becomes a member without one." : null;
  if (!isObject(role) || !hasOnly(role, ["claim", "values", "default"]) || !isText(role.claim))
    return 'has a `role` that is not like {"claim":"groups","values":{"staff":"writer"},"default":"reader"}.';
  if (!isMap(role.values, (value) => ROLES.includes(value as string)))
    return `has a value of \`role\` that is none of: ${ROLES.join(", ")}.`;
  if (role.default !== undefined && !ROLES_BY_DEFAULT.includes(role.default as string))
    return `has a default \`role\` that is none of: ${ROLES_BY_DEFAULT.join(", ")}. Map the others by their claim.`;
  return null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isScope = (value: unknown): boolean =>
  typeof value === "string" && /^[\x21\x23-\x5B\x5D-\x7E]+$/.test(value);
const isOrganizationId = (value: unknown): boolean =>
  typeof value === "string" && /^org_[0-9a-z]{1,32}$/.test(value);
const hasOnly = (value: object, fields: string[]): boolean =>
  Object.keys(value).every((field) => fields.includes(field));
const isMap = (value: unknown, isValue: (one: unknown) => boolean): boolean =>
  isObject(value) && Object.values(value).every(isValue);

function isIssuer(value: unknown): boolean {
  const url = typeof value === "string" ? URL.parse(value) : null;
  if (url === null || url.search + url.hash + url.username + url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.test(url.hostname));
}
