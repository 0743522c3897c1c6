import { CimdFetchError } from "@cloudflare/workers-oauth-provider";
import { CONSOLE_CLIENT_ID } from "@engram/spec";
import { z } from "@hono/zod-openapi";
import type { Env, Invocation, OAuthClient } from "../invocation.ts";
import { refusalOf } from "../webhooks/urls.ts";

const DOCUMENT_BYTES_MAX = 5_000;
const TIMEOUT_MS = 5_000;
/** Longest id of a client that is the URL of its document. It is stored with each grant. */
const URL_CHARACTERS_MAX = 500;
/** Time for which a document is kept. A client that changes its redirects waits for as long. */
const TTL_MS = 300_000;
const DOCUMENTS_MAX = 200;

const publicClient = (clientId: string, clientName: string, redirectUris: string[]): OAuthClient => ({
  ...{ clientId, clientName, redirectUris },
  grantTypes: ["authorization_code", "refresh_token"],
  responseTypes: ["code"],
  tokenEndpointAuthMethod: "none",
});

const OperatorClients = z.record(
  z.string(),
  z.strictObject({ name: z.string().min(1), redirect_uris: z.array(z.url()).min(1) }),
);

/** The console of the service at this address, to which members sign in. */
export const consoleClient = (root: string): Record<string, OAuthClient> => ({
  [CONSOLE_CLIENT_ID]: publicClient(CONSOLE_CLIENT_ID, "Engram console", [`${root}/`]),
});

/**
 * The clients that the operator has registered, by id.
 *
 * @throws {Error} if `OAUTH_CLIENTS` is invalid.
 */
export const operatorClients = ({ OAUTH_CLIENTS }: Env): Record<string, OAuthClient> =>
  Object.fromEntries(
    Object.entries(OperatorClients.parse(JSON.parse(OAUTH_CLIENTS || "{}"))).map(
      ([id, { name, redirect_uris }]) => [id, publicClient(id, name, redirect_uris)],
    ),
  );

/**
 * Reads the document of a client whose id is the URL of it.
 *
 * @throws {CimdFetchError} if there is none that is valid.
 */
export type ReadDocument = (url: string) => Promise<OAuthClient>;

/**
 * Null where documents cannot be read: outside Cloudflare, nothing keeps such a request from the machine's own network,
 * and a service without a network would offer what it cannot do.
 */
export function documentReader(
  { CLIENT_DOCUMENTS, WEBHOOKS }: Env,
  invocation: Invocation,
): ReadDocument | null {
  if (CLIENT_DOCUMENTS === undefined && WEBHOOKS !== undefined) return null;
  const known = invocation.caches.clientDocuments;
  return async (url) => {
    const nowMs = invocation.runtime.nowMs();
    const held = known.get(url);
    if (held !== undefined && held.untilMs > nowMs) return held.client;
    const client = await fetchDocument(CLIENT_DOCUMENTS ?? globalThis, url).catch((error: unknown) => {
      throw new CimdFetchError(url, error);
    });
    if (known.size >= DOCUMENTS_MAX) known.clear();
    known.set(url, { client, untilMs: nowMs + TTL_MS });
    return client;
  };
}

const Document = z.object({
  client_id: z.string(),
  client_name: z.string().min(1),
  redirect_uris: z.array(z.string()).min(1),
  token_endpoint_auth_method: z.string().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
  client_secret: z.never().optional(),
});

async function fetchDocument(from: Pick<Fetcher, "fetch">, url: string): Promise<OAuthClient> {
  const { href, pathname } = new URL(url);
  if (href !== url || pathname === "/" || url.length > URL_CHARACTERS_MAX)
    throw new Error("the id is not a URL with a path, in its usual form");
  const refusal = refusalOf(url, { allowed: "" });
  if (refusal !== null) throw new Error(`the id ${refusal}`);
  const response = await from.fetch(url, {
    headers: { accept: "application/json", "user-agent": "Engram-OAuth" },
    // A redirect could lead from the domain that people see to any other.
    redirect: "manual",
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`the status of the document is ${response.status}`);
  const document = Document.parse(JSON.parse(await readText(response)));
  if (document.client_id !== url) throw new Error("the document is of another client");
  const methods = [
    ...(document.token_endpoint_auth_methods_supported ?? []),
    document.token_endpoint_auth_method ?? (document.token_endpoint_auth_methods_supported ? "" : "none"),
  ];
  if (!methods.includes("none")) throw new Error("the client offers no method that the service has");
  return publicClient(url, document.client_name, document.redirect_uris);
}

async function readText({ body }: { body: ReadableStream<Uint8Array> | null }): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
  let text = "";
  let bytes = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > DOCUMENT_BYTES_MAX) throw new Error("the document is too large");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
