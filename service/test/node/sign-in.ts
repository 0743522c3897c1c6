import { createHash } from "node:crypto";
import type { Service } from "../../../local/src/start/service.ts";

const REDIRECT = "http://127.0.0.1/callback";
const VERIFIER = "v".repeat(43);

/** Registers a client. Resolves to its id. */
export async function register({ url }: Pick<Service, "url">, redirectUris: string[]): Promise<string> {
  const response = await fetch(`${url}/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      redirect_uris: redirectUris,
      client_name: "Conformance",
      token_endpoint_auth_method: "none",
    }),
  });
  const { client_id } = (await response.json()) as { client_id: string };
  return client_id;
}

/** Opens the page as a browser does, and allows the scopes with the service's key. Resolves to the redirect. */
export async function allow({ key }: Pick<Service, "key">, page: string, scopes: string[]): Promise<URL> {
  const shown = await fetch(page);
  const handle = /name="handle" value="([^"]+)"/.exec(await shown.text())?.[1] ?? "";
  const cookies = shown.headers.getSetCookie().map((one) => one.split(";")[0]);
  const answer = await fetch(page, {
    method: "POST",
    headers: { cookie: cookies.join("; ") },
    body: new URLSearchParams([
      ...Object.entries({ handle, decision: "allow", key }),
      ...scopes.map((scope) => ["scope", scope]),
    ]),
    redirect: "manual",
  });
  if (answer.status !== 302) throw new Error(`${answer.status}: ${await answer.text()}`);
  return new URL(answer.headers.get("location") ?? "");
}

/** An access token of a client to which the service's key has allowed the scopes. */
export async function createAccessToken(service: Pick<Service, "url" | "key">, scopes: string[]) {
  const client_id = await register(service, [REDIRECT]);
  const request = new URLSearchParams({
    ...{ response_type: "code", client_id, redirect_uri: REDIRECT, scope: scopes.join(" ") },
    code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
    code_challenge_method: "S256",
    resource: `${service.url}/mcp`,
  });
  const redirect = await allow(service, `${service.url}/authorize?${request}`, scopes);
  const answer = await fetch(`${service.url}/token`, {
    method: "POST",
    body: new URLSearchParams({
      ...{ grant_type: "authorization_code", client_id, redirect_uri: REDIRECT, code_verifier: VERIFIER },
      code: redirect.searchParams.get("code") ?? "",
      resource: `${service.url}/mcp`,
    }),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  return access_token;
}
