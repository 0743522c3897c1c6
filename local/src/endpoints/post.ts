import type { EndpointAddress, EndpointKind } from "./address.ts";
import { readBounded } from "./bodies.ts";
import { EndpointFailure } from "./failure.ts";

/** An answer is 3 MB at most (32 vectors of 4,096 dimensions); beyond this it is none. */
const ANSWER_BYTES_MAX = 16_000_000;

/** An endpoint has answered with something else than success. Its body is not read: it may repeat what was sent. */
export class Refusal extends EndpointFailure {
  readonly status: number;
  readonly headers: Headers;

  constructor({ status, headers }: Response, prefix: EndpointKind["prefix"]) {
    const isRedirect = status >= 300 && status < 400;
    const advice = `, a redirect, which is not followed: name the right address in ${prefix}_URL`;
    super(`status ${status}${isRedirect ? advice : ""}`);
    this.status = status;
    this.headers = headers;
  }
}

/** An endpoint has answered with more than any answer holds. */
export class OversizedAnswer extends EndpointFailure {}

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
    await response.body?.cancel().catch(() => {});
    throw new Refusal(response, call.prefix);
  }
  const text = await readBounded(response, ANSWER_BYTES_MAX);
  if (text === undefined) throw new OversizedAnswer(`an answer of more than ${ANSWER_BYTES_MAX} bytes`);
  return text;
}
