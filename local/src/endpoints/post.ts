import type { EndpointAddress, EndpointKind } from "./address.ts";
import { readBounded } from "./bodies.ts";

/** An answer is 3 MB at most (32 vectors of 4,096 dimensions); beyond this it is none. */
const ANSWER_BYTES_MAX = 16_000_000;
const ERROR_BYTES_MAX = 100_000;
/** What people are shown of an endpoint's own words. */
const REASON_LENGTH_MAX = 300;

/** An endpoint has answered with something else than success. */
export class Refusal extends Error {
  readonly status: number;
  readonly headers: Headers;

  constructor(status: number, reason: string, headers: Headers) {
    super(reason);
    this.status = status;
    this.headers = headers;
  }
}

/** An endpoint has answered with more than any answer holds. */
export class OversizedAnswer extends Error {}

/**
 * What an endpoint answers to a body posted as JSON.
 *
 * @throws {Refusal} for any status but success, a redirect too; {OversizedAnswer}; and what fetch throws.
 */
export async function postJson(
  address: EndpointAddress,
  body: object,
  call: { signal: AbortSignal; prefix: EndpointKind["prefix"] },
): Promise<string> {
  const { url, apiKey } = address;
  const response = await fetch(url, {
    method: "POST",
    headers: {
      accept: "application/json",
      "content-type": "application/json",
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(body),
    // Followed, a redirect would take texts and key to somebody whom nobody has named.
    redirect: "manual",
    signal: call.signal,
  });
  if (!response.ok) {
    throw new Refusal(response.status, await readRefusal(response, address, call.prefix), response.headers);
  }
  const text = await readBounded(response, ANSWER_BYTES_MAX);
  if (text === undefined) throw new OversizedAnswer(`an answer of more than ${ANSWER_BYTES_MAX} bytes`);
  return text;
}

/** A text without the endpoint's key: endpoints like to repeat what they were sent. */
export function withoutKey(text: string, { apiKey }: EndpointAddress): string {
  return apiKey === undefined ? text : text.replaceAll(apiKey, "…");
}

async function readRefusal(
  response: Response,
  address: EndpointAddress,
  prefix: EndpointKind["prefix"],
): Promise<string> {
  const { status, headers } = response;
  if (status >= 300 && status < 400) {
    await response.body?.cancel();
    const target = redirectTarget(headers.get("location"), address);
    return `a redirect (${status}) to ${target}, which is not followed: name the right address in ${prefix}_URL`;
  }
  const body = await readBounded(response, ERROR_BYTES_MAX).catch(() => undefined);
  return `${status} ${withoutKey(readReason(body ?? ""), address)}`.trim();
}

/** Where a redirect leads, without what may be secret in it. */
function redirectTarget(location: string | null, address: EndpointAddress): string {
  if (location === null || !URL.canParse(location, address.url)) return "nowhere";
  const { origin, pathname } = new URL(location, address.url);
  return withoutKey(origin + pathname, address);
}

/** What an error's body says, as one short line: endpoints agree on no format. */
function readReason(body: string): string {
  let said: unknown = body;
  try {
    const parsed: { error?: unknown; message?: unknown; detail?: unknown } | null = JSON.parse(body);
    const error = parsed?.error;
    const nested = typeof error === "object" && error !== null && "message" in error ? error.message : error;
    said = nested ?? parsed?.message ?? parsed?.detail ?? body;
  } catch {
    // Not JSON: shown as it is.
  }
  const line = (typeof said === "string" ? said : JSON.stringify(said)).replace(/\s+/g, " ").trim();
  return line.length > REASON_LENGTH_MAX ? `${line.slice(0, REASON_LENGTH_MAX)}…` : line;
}
