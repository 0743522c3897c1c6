import type { Event, WebhookTestEvent } from "./generated/schema.ts";

/** Time by which the timestamp of a request may differ from now, in either direction. */
const TOLERANCE_SECONDS = 5 * 60;
const PREFIX = "whsec_";
const VERSION = "v1";

/** The event that a request of a webhook carries. A test of the webhook sends one of the type `webhook.test`. */
export type WebhookEvent = Event | WebhookTestEvent;

/** Headers of a request: those of `fetch`, of Node, of another library, or a `Map`. */
export type WebhookHeaders =
  | Headers
  | Iterable<readonly [name: string, value: string | readonly string[]]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request of a webhook, for servers without `Request`. `body` must have the exact bytes that arrived. */
export interface WebhookRequest {
  /** The headers, such as those of a Node request. */
  headers: WebhookHeaders;
  /** The body as it arrived, not parsed. */
  body: string | Uint8Array | ArrayBuffer;
}

/** A request whose body was not read yet: that of `fetch`, or of another implementation, such as npm's `undici`. */
export interface UnreadRequest {
  /** The headers. */
  headers: WebhookHeaders;
  /** Whether the body was read before. */
  bodyUsed?: boolean;
  /** Reads the body. */
  arrayBuffer(): Promise<ArrayBuffer>;
}

/**
 * Why a request of a webhook was refused.
 *
 * - `missing_header`: it has no `webhook-id`, `webhook-timestamp` or `webhook-signature`.
 * - `timestamp_out_of_range`: its timestamp is more than five minutes from now. The request may be a replay, or a
 *   clock is wrong.
 * - `wrong_signature`: no signature was made with a given secret.
 * - `invalid_body`: the signature is right, but the body is not an event.
 * - `no_raw_body`: the server has parsed the body, or has read it before. Only the bytes that arrived can be verified.
 * - `no_secret`: no secret was passed.
 */
export type WebhookErrorCode =
  | "missing_header"
  | "timestamp_out_of_range"
  | "wrong_signature"
  | "invalid_body"
  | "no_raw_body"
  | "no_secret";

/** A request that `verifyWebhook` refused. Respond with the status 400, and do not use the request. */
export class WebhookError extends Error {
  /** Distinguishes the error from those of calls. */
  override readonly name = "WebhookError";
  /** Why the request was refused. */
  readonly code: WebhookErrorCode;

  /** @internal */
  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Verify a request of a webhook, and read its event. A request is authentic if it was signed with the secret, as
 * Standard Webhooks 1.0 states, within five minutes of now.
 *
 * While a secret is rotated, requests have a signature of each secret, so either secret verifies them. Give several
 * secrets to accept requests of several webhooks.
 *
 * An event can arrive more than once: `event.id` is the same each time. Needs no client and no API key, and runs in
 * Node, Workers, Deno, Bun, and secure pages (HTTPS) of browsers.
 *
 * @param request a `Request`, whose body is read, or its headers and its body as it arrived. Servers that parse JSON need
 *   an exception for this route, such as `express.raw({ type: "application/json" })`.
 * @param secret the secret of the webhook, such as `whsec_…`, or several.
 * @throws {WebhookError} if the request is not authentic, or a secret or the body as it arrived is missing.
 * @throws {TypeError} if a secret is malformed.
 * @example
 * ```ts
 * async function receive(request: Request): Promise<Response> {
 *   try {
 *     const event = await verifyWebhook(request, process.env.WEBHOOK_SECRET ?? "");
 *     console.log(event.id, event.type, event.conversation_id);
 *     return new Response(null, { status: 204 });
 *   } catch (error) {
 *     if (!(error instanceof WebhookError)) throw error;
 *     return new Response(error.message, { status: 400 });
 *   }
 * }
 * ```
 */
export async function verifyWebhook(
  request: Request | UnreadRequest | WebhookRequest,
  secret: string | readonly string[],
): Promise<WebhookEvent> {
  const secrets = [secret ?? ""].flat();
  if (secrets.length === 0 || !secrets.every(Boolean))
    throw new WebhookError(
      "no_secret",
      "A secret is missing: pass the webhook's secret, such as `whsec_…`, as the second argument.",
    );
  const keys = await Promise.all(secrets.map(toKey));
  const body = await readBody(request);
  const id = readHeader(request, "webhook-id");
  const timestamp = readHeader(request, "webhook-timestamp");
  const signatures = readHeader(request, "webhook-signature");
  const signed = concatenate(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  if (!(await isSigned(keys, signed, signatures)))
    throw new WebhookError("wrong_signature", "No signature was made with a given secret.");
  // Not earlier: the time of a request that is not authentic says nothing.
  const seconds = /^\d+$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (!(Math.abs(Date.now() / 1_000 - seconds) <= TOLERANCE_SECONDS))
    throw new WebhookError("timestamp_out_of_range", "The timestamp is more than five minutes from now.");
  return toEvent(new TextDecoder().decode(body));
}

async function toKey(secret: string): Promise<CryptoKey> {
  const bytes = secret.startsWith(PREFIX) ? fromBase64(secret.slice(PREFIX.length)) : null;
  if (bytes === null || bytes.length === 0)
    throw new TypeError(`The secret of a webhook is \`${PREFIX}\`, followed by base64.`);
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

/** Whether one of the signatures, which spaces separate, was made with one of the keys. */
async function isSigned(
  keys: readonly CryptoKey[],
  signed: Uint8Array<ArrayBuffer>,
  signatures: string,
): Promise<boolean> {
  for (const each of signatures.split(" ")) {
    const [version, base64 = ""] = each.split(",");
    const signature = version === VERSION ? fromBase64(base64) : null;
    if (signature === null) continue;
    for (const key of keys) {
      // Compares in constant time.
      if (await crypto.subtle.verify("HMAC", key, signature, signed)) return true;
    }
  }
  return false;
}

function toEvent(text: string): WebhookEvent {
  try {
    const { data } = JSON.parse(text) as { data?: WebhookEvent };
    if (typeof data?.id === "string" && typeof data.type === "string") return data;
  } catch {
    // Not JSON.
  }
  throw new WebhookError("invalid_body", "The body is not an event.");
}

function readHeader({ headers }: Pick<WebhookRequest, "headers">, name: string): string {
  // Not `instanceof Headers`, which those of a library are not.
  const pairs =
    Symbol.iterator in Object(headers)
      ? (headers as Iterable<readonly [string, unknown]>)
      : Object.entries(headers ?? {});
  const [, values = ""] = [...pairs].find(([key]) => key.toLowerCase() === name) ?? [];
  // Several signatures are separated by spaces.
  const value = [values].flat().join(" ");
  if (value === "") throw new WebhookError("missing_header", `The request has no header \`${name}\`.`);
  return value;
}

async function readBody(request: UnreadRequest | WebhookRequest): Promise<Uint8Array> {
  const isUnread = "arrayBuffer" in request;
  const body = isUnread ? !request.bodyUsed && (await request.arrayBuffer()) : request.body;
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  // Not `instanceof ArrayBuffer`, which one of another realm is not.
  if (body && Object.prototype.toString.call(body) === "[object ArrayBuffer]") return new Uint8Array(body);
  throw new WebhookError(
    "no_raw_body",
    "Pass the raw body, as text or bytes, before anything parses or reads it. A parsed body cannot be verified.",
  );
}

/** Null if the text is not base64. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
