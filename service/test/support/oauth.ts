import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { createApp } from "../../src/app.ts";
import type { Env, Isolate } from "../../src/invocation.ts";
import { openIsolate } from "../../src/isolate.ts";
import { sha256 } from "../../src/platform/digest.ts";
import { env } from "./env.ts";
import { placedEnv } from "./places.ts";
import { promptRuntime } from "./runtime.ts";

/** OAuth needs `https`. */
export const ROOT = "https://engram.test";
export const RESOURCE = `${ROOT}/mcp`;
export const CALLBACK = "https://client.example.com/callback?at=1";
export const VERIFIER = "v".repeat(43);

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

export const challengeOf = async (verifier: string): Promise<string> => base64url(await sha256(verifier));

export interface Tokens {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  scope: string;
  resource: string;
}

/**
 * An app of its own, with some of the Worker's bindings replaced, at an address.
 *
 * @param at Where a proxy sends the requests, with its headers.
 * @param base The path before those of the endpoints.
 */
export function openDoors(
  bindings: Partial<Env> = {},
  {
    root = ROOT,
    at = root,
    forwarded = {},
    isolate = openIsolate(promptRuntime),
    base = "",
  }: {
    root?: string;
    at?: string;
    forwarded?: Record<string, string>;
    isolate?: Isolate;
    base?: string;
  } = {},
) {
  const app = createApp(isolate);
  const fetch = async (path: string, init: RequestInit, ctx: ExecutionContext): Promise<Response> =>
    app.fetch(
      new Request(new URL(path, at), {
        redirect: "manual",
        ...init,
        headers: [...new Headers(init.headers), ...Object.entries(forwarded)],
      }),
      placedEnv(env as unknown as Env, bindings, {
        fetch: app.fetch,
        waitUntil: (work) => ctx.waitUntil(work),
      }),
      ctx,
    );
  const send = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const ctx = createExecutionContext();
    const response = await fetch(path, init, ctx);
    await waitOnExecutionContext(ctx);
    return response;
  };
  /** Opens a stream or a socket, whose work continues after the response. */
  const open = (path: string, headers: Record<string, string>): Promise<Response> =>
    fetch(path, { headers }, createExecutionContext());
  const post = (path: string, fields: Record<string, string> | [string, string][], headers = {}) =>
    send(path, { method: "POST", headers, body: new URLSearchParams(fields) });

  const register = async (metadata: Record<string, unknown> = {}): Promise<string> => {
    const body = JSON.stringify({
      redirect_uris: [CALLBACK],
      client_name: "Test client",
      token_endpoint_auth_method: "none",
      ...metadata,
    });
    const response = await send(`${base}/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    const answer = (await response.json()) as { client_id: string };
    if (response.status !== 201) throw new Error(JSON.stringify(answer));
    return answer.client_id;
  };

  /** The path of a request for authorization, with other parameters, or without those that are null. */
  const authorizePath = async (
    client_id: string,
    parameters: Record<string, string | null> = {},
  ): Promise<string> => {
    const all: Record<string, string | null> = {
      response_type: "code",
      client_id,
      redirect_uri: CALLBACK,
      code_challenge: await challengeOf(VERIFIER),
      code_challenge_method: "S256",
      resource: `${root}/mcp`,
      scope: "read search",
      state: "st-1",
      ...parameters,
    };
    const given = Object.entries(all).filter((one): one is [string, string] => one[1] !== null);
    return `${base}/authorize?${new URLSearchParams(given)}`;
  };

  const openPage = async (path: string): Promise<ConsentPage> => {
    const response = await send(path);
    const html = await response.text();
    const cookie = response.headers
      .getSetCookie()
      .map((one) => one.split(";")[0])
      .join("; ");
    return { path, response, html, cookie, handle: /name="handle" value="([^"]+)"/.exec(html)?.[1] ?? "" };
  };

  /** Posts the form of a page as a browser does. */
  const decide = (
    { path, cookie, handle }: Pick<ConsentPage, "path" | "cookie" | "handle">,
    key: string,
    { scopes = ["read", "search"], decision = "allow", ...fields }: Decision = {},
  ): Promise<Response> =>
    post(
      path,
      [
        ["handle", handle],
        ["decision", decision],
        ["key", key],
        ...scopes.map((scope): [string, string] => ["scope", scope]),
        ...Object.entries(fields as Record<string, string>),
      ],
      { cookie },
    );

  const exchange = (
    code: string,
    client_id: string,
    fields: Record<string, string> = {},
  ): Promise<Response> =>
    post(`${base}/token`, {
      grant_type: "authorization_code",
      ...{ code, client_id, redirect_uri: CALLBACK, code_verifier: VERIFIER, resource: `${root}/mcp` },
      ...fields,
    });

  const refresh = (refresh_token: string, client_id: string, fields: Record<string, string> = {}) =>
    post(`${base}/token`, { grant_type: "refresh_token", refresh_token, client_id, ...fields });

  /** The code of a consent with this key. */
  const allow = async (
    clientId: string,
    key: string,
    options: Decision & Parameters = {},
  ): Promise<string> => {
    const { parameters = {}, ...decision } = options;
    const page = await openPage(await authorizePath(clientId, parameters));
    const response = await decide(page, key, decision);
    const code = new URL(response.headers.get("location") ?? "about:blank").searchParams.get("code");
    if (code === null) throw new Error(`${response.status}: ${await response.text()}`);
    return code;
  };

  /** Everything from the registration to the tokens. */
  const signIn = async (key: string, options: Decision & Parameters = {}) => {
    const clientId = await register();
    const code = await allow(clientId, key, options);
    const tokens = (await (await exchange(code, clientId)).json()) as Tokens;
    return { clientId, ...tokens };
  };

  return { send, open, post, register, authorizePath, openPage, decide, exchange, refresh, allow, signIn };
}

export interface ConsentPage {
  path: string;
  response: Response;
  html: string;
  cookie: string;
  handle: string;
}

export interface Decision {
  scopes?: string[];
  decision?: string;
  agent_id?: string;
  user_id?: string;
}

interface Parameters {
  parameters?: Record<string, string | null>;
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
