import type { EndpointAddress, EndpointKind } from "./address.ts";
import { readBounded } from "./bodies.ts";
import { EndpointFailure } from "./failure.ts";

/** Limit for a response. The largest valid one, 32 vectors of 4,096 dimensions, has 3 MB. */
const ANSWER_BYTES_MAX = 16_000_000;

/**
 * The endpoint responded with another status than success. The body of the response is not read, because it
 * may repeat the request.
 */
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

export class OversizedAnswer extends EndpointFailure {}

/**
 * Posts JSON and returns the text of the response.
 *
 * @throws {Refusal} For any status but success, including a redirect.
 * @throws {OversizedAnswer} If the response is too large.
 * @throws {Error} If `fetch` fails or is aborted.
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
    // Following a redirect would send texts and key to a host that the configuration does not name.
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
