import { GRANT_SCOPES } from "@engram/spec";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { ApiError } from "../errors.ts";
import { RecordConflict } from "../grants/records.ts";
import { hasClients } from "../grants/service.ts";
import { nameOperation } from "../http/handler.ts";
import { countAddress } from "../http/rate-limits.ts";
import type { AppEnv } from "../invocation.ts";
import { readForm, readShortText } from "./bodies.ts";
import { decideConsent, showConsent } from "./consent.ts";
import { openOAuth } from "./context.ts";
import { CALLBACK_PATH, CHOICE_PATH, chooseOrganization, finishSignIn } from "./identities.ts";

/** Clients look for the metadata at the origin, and at the path of the MCP endpoint. */
const METADATA_PATHS = [
  "/.well-known/oauth-authorization-server",
  "/.well-known/oauth-authorization-server/mcp",
];
/** Some clients append the paths of the endpoints to the URL of the MCP endpoint. */
const BASES = ["", "/mcp"];
/** Clients that may be registered at once. */
const CLIENTS_MAX = 10_000;
/** How often a request is repeated that another one has overtaken. */
const ATTEMPTS = 5;
const METADATA_SECONDS = 300;

/** Serves the authorization server of OAuth 2.1, by which MCP clients sign people in. */
export function registerOAuth(app: OpenAPIHono<AppEnv>): void {
  const anyOrigin = cors({
    origin: "*",
    allowHeaders: ["authorization", "content-type", "mcp-protocol-version"],
  });
  for (const path of METADATA_PATHS) {
    app.use(path, anyOrigin);
    app.get(path, nameOperation("oauth metadata"), getMetadata);
  }
  app.get(CALLBACK_PATH, nameOperation("oauth sign-in"), limitAddress("sign-in"), finishSignIn);
  app.post(CHOICE_PATH, nameOperation("oauth sign-in"), limitAddress("sign-in"), chooseOrganization);
  for (const base of BASES) {
    app.get(`${base}/authorize`, nameOperation("oauth consent"), limitAddress("authorize"), showConsent);
    app.post(`${base}/authorize`, nameOperation("oauth consent"), limitAddress("authorize"), decideConsent);
    for (const [endpoint, handler] of [
      ["token", exchangeToken],
      ["register", registerClient],
    ] as const) {
      app.use(`${base}/${endpoint}`, anyOrigin);
      app.post(`${base}/${endpoint}`, nameOperation(`oauth ${endpoint}`), limitAddress(endpoint), handler);
    }
  }
}

const limitAddress =
  (purpose: string): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const refusal = await countAddress(c, purpose);
    if (refusal !== null) throw refusal;
    await next();
  };

async function getMetadata(c: Context<AppEnv>): Promise<Response> {
  const { root, server, env, readDocument } = openOAuth(c);
  const { origin, pathname } = new URL(root);
  // For a service under a path, RFC 8414 puts that path after the name of the document.
  const url = `${origin}${METADATA_PATHS[0]}${pathname === "/" ? "" : pathname}`;
  const response = await server.fetch(new Request(url), env, executionContextOf(c));
  const metadata = (await response.json()) as Record<string, unknown>;
  c.header("cache-control", `public, max-age=${METADATA_SECONDS}`);
  return c.json({
    ...metadata,
    scopes_supported: GRANT_SCOPES,
    client_id_metadata_document_supported: readDocument !== null,
    service_documentation: `${root}/docs`,
  });
}

async function exchangeToken(c: Context<AppEnv>): Promise<Response> {
  const text = await readForm(c);
  const form = new URLSearchParams(text);
  // A revocation has it as `token`.
  const refreshToken = form.get("refresh_token") ?? form.get("token") ?? undefined;
  for (let attempt = 1; ; attempt++) {
    const oauth = openOAuth(c, refreshToken);
    try {
      return await oauth.server.fetch(
        requestTo(c, `${oauth.root}/token`, text),
        oauth.env,
        executionContextOf(c),
      );
    } catch (error) {
      if (!(error instanceof RecordConflict)) throw error;
      if (attempt === ATTEMPTS)
        throw new ApiError("unavailable", "Other requests with this token came at once. Try again.", {
          cause: error,
          retryAfterSeconds: 1,
        });
    }
  }
}

async function registerClient(c: Context<AppEnv>): Promise<Response> {
  const text = await readShortText(c);
  const { root, server, env } = openOAuth(c);
  // Not in a callback of the library, which answers 500 if the database fails.
  if (await hasClients(c.var.caller, CLIENTS_MAX)) {
    const error_description =
      "Too many clients are registered. Use a client metadata document, or try again later";
    return c.json({ error: "temporarily_unavailable", error_description }, 503);
  }
  return server.fetch(requestTo(c, `${root}/register`, text), env, executionContextOf(c));
}

/** The request as the OAuth library gets it. The middleware answers for other origins. */
function requestTo(c: Context<AppEnv>, url: string, body: string): Request {
  const headers = new Headers(c.req.raw.headers);
  for (const name of ["origin", "content-length"]) headers.delete(name);
  return new Request(url, { method: "POST", headers, body });
}

const executionContextOf = (c: Context<AppEnv>): ExecutionContext => c.executionCtx as ExecutionContext;
