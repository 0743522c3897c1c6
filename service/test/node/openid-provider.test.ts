import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Provider } from "oidc-provider";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Service, startService } from "../../../local/src/start/service.ts";

const TIMEOUT_MS = 120_000;
const CALLBACK = "http://127.0.0.1/callback";
const VERIFIER = "v".repeat(43);

let directory: string;
let provider: { url: string; server: Server };
let service: Service;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "engram-openid-"));
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  provider = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
  service = await startService({
    port: 0,
    dataDirectory: join(directory, "data"),
    vars: {
      OIDC: JSON.stringify({ issuer: provider.url, client_id: "engram", name: "Company" }),
      OIDC_CLIENT_SECRET: "client-secret",
    },
  });
  const openid = new Provider(provider.url, {
    clients: [
      {
        client_id: "engram",
        client_secret: "client-secret",
        redirect_uris: [`${service.url}/oidc/callback`],
      },
    ],
    cookies: { keys: ["cookie-secret"] },
    claims: { email: ["email", "email_verified"], profile: ["name"] },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, email: `${id}@example.com`, email_verified: true, name: id }),
    }),
  });
  server.on("request", openid.callback());
}, TIMEOUT_MS);
afterAll(async () => {
  await service?.stop();
  provider?.server.close();
  provider?.server.closeAllConnections();
  await rm(directory, { recursive: true, force: true });
}, TIMEOUT_MS);

/** A browser without script, which follows redirects and keeps the cookies of each origin. */
function openBrowser() {
  const cookies = new Map<string, Map<string, string>>();
  const open = async (url: string, form?: Record<string, string>): Promise<{ url: string; html: string }> => {
    const { origin } = new URL(url);
    const jar = cookies.get(origin) ?? new Map<string, string>();
    cookies.set(origin, jar);
    const headers = { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") };
    const body = form && new URLSearchParams(form);
    const response = await fetch(url, {
      ...{ headers, redirect: "manual" },
      ...(body ? { method: "POST", body } : {}),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      jar.set(name, value);
    }
    const html = await response.text();
    const next =
      response.headers.get("location") ?? /url=(.+)$/.exec(response.headers.get("refresh") ?? "")?.[1];
    if (next === undefined) return { url, html };
    const target = new URL(next, url);
    return `${target.origin}${target.pathname}` === CALLBACK ? { url: target.href, html } : open(target.href);
  };
  return open;
}

const fieldOf = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "";

async function openConsent(open: ReturnType<typeof openBrowser>) {
  const registered = await fetch(`${service.url}/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      ...{ redirect_uris: [CALLBACK], client_name: "Client", token_endpoint_auth_method: "none" },
    }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(VERIFIER));
  const query = new URLSearchParams({
    ...{ response_type: "code", client_id, redirect_uri: CALLBACK, state: "st", scope: "read search" },
    code_challenge: Buffer.from(digest).toString("base64url"),
    ...{ code_challenge_method: "S256", resource: `${service.url}/mcp` },
  });
  const url = `${service.url}/authorize?${query}`;
  return { client_id, url, page: await open(url) };
}

describe("with the provider of the library oidc-provider", () => {
  test("a member signs in from the page of consent to the data", { timeout: TIMEOUT_MS }, async () => {
    const added = await fetch(`${service.url}/v1/members`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "Maria", role: "reader", email: "maria@example.com" }),
    });
    expect(added.status).toBe(201);
    const open = openBrowser();
    const { client_id, url, page } = await openConsent(open);
    expect(page.html).toContain('Sign in with <bdi class="text">Company</bdi>');
    const login = await open(url, { decision: "provider" });
    expect(login.url).toContain(`${provider.url}/interaction/`);
    const consent = await open(login.url, { prompt: "login", login: "maria", password: "any" });
    const back = await open(consent.url, { prompt: "consent" });
    expect(back.url).toBe(url);
    expect(back.html).toContain('Signed in as <strong><bdi class="text">Maria</bdi></strong>, reader of');
    const allowed = await open(url, {
      ...{ decision: "allow", scope: "read", signed_in: "yes", handle: fieldOf(back.html, "handle") },
    });
    const code = new URL(allowed.url).searchParams.get("code") ?? "";
    const exchanged = await fetch(`${service.url}/token`, {
      method: "POST",
      body: new URLSearchParams({
        ...{ grant_type: "authorization_code", code, client_id, redirect_uri: CALLBACK },
        ...{ code_verifier: VERIFIER, resource: `${service.url}/mcp` },
      }),
    });
    const { access_token } = (await exchanged.json()) as { access_token: string };
    const me = await fetch(`${service.url}/v1/me`, { headers: { authorization: `Bearer ${access_token}` } });
    expect(await me.json()).toMatchObject({
      member: { email: "maria@example.com", issuer: provider.url, subject: "maria" },
      scopes: ["read"],
    });
  });

  test("a stranger is told who is no member, and who declines that they did", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const open = openBrowser();
    const { url } = await openConsent(open);
    const login = await open(url, { decision: "provider" });
    const declined = await open(`${login.url}/abort`);
    expect(declined.url).toContain(`${service.url}/oidc/callback?error=access_denied`);
    expect(declined.html).toContain("Company did not sign you in: access was denied.");
    const again = await open(url, { decision: "provider" });
    const consent = await open(again.url, { prompt: "login", login: "omar", password: "any" });
    const refused = await open(consent.url, { prompt: "consent" });
    expect(refused.html).toContain("omar@example.com is not a member of an organization here.");
  });
});
