import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { type Request, Response } from "miniflare";
import { AddressRefused, checkedLookup, isReceiverAddress } from "./addresses.ts";
import { isListed } from "./hosts.ts";

/** Time in which a receiver must respond. The Worker stops waiting earlier. */
const TIMEOUT_MS = 12_000;
const REFUSED_STATUS = 502;

interface Sending {
  /** Hosts that may have addresses of a private network, and be reached with `http`. */
  hosts?: readonly string[];
  lookup?: LookupFunction;
  /** Tests pass that of `node:http`. */
  request?: typeof requestHttps;
  timeoutMs?: number;
}

/**
 * Sends a request of a webhook to a public address or a host that the operator allows, and answers with the status alone. Locally nothing else keeps a
 * Worker from requests to this machine and its network. Redirects are not followed.
 */
export async function postWebhook(request: Request, sending: Sending = {}): Promise<Response> {
  const url = new URL(request.url);
  const { hosts = [] } = sending;
  try {
    // Node resolves no name for an address, so the lookup would not see it.
    if (isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0)
      throw new AddressRefused("a webhook needs a host name");
    const isAllowed = isListed(url, hosts);
    if (url.protocol !== "https:" && !isAllowed) throw new AddressRefused("a webhook needs https");
    return await send(
      url,
      { headers: Object.fromEntries(request.headers), body: await request.text() },
      {
        lookup: checkedLookup(isAllowed ? isReceiverAddress : undefined),
        request: url.protocol === "https:" ? requestHttps : requestHttp,
        ...sending,
      },
    );
  } catch {
    return new Response(null, { status: REFUSED_STATUS });
  }
}

function send(
  url: URL,
  { headers, body }: { headers: Record<string, string>; body: string },
  { lookup, request, timeoutMs = TIMEOUT_MS }: Sending & Required<Pick<Sending, "lookup" | "request">>,
): Promise<Response> {
  const { host: _, ...sent } = headers;
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const options = {
    method: "POST",
    headers: { ...sent, "content-length": Buffer.byteLength(body) },
    lookup,
    // A connection that is kept would not be checked again.
    agent: false,
    signal: AbortSignal.timeout(timeoutMs),
  } as const;
  const outgoing = request(url.href, options, (response) => {
    const { "retry-after": retryAfter } = response.headers;
    const kept = retryAfter === undefined ? undefined : { "retry-after": retryAfter };
    const { statusCode = REFUSED_STATUS } = response;
    // A `Response` can have no other status.
    const status = statusCode >= 200 && statusCode <= 599 ? statusCode : REFUSED_STATUS;
    resolve(new Response(null, { status, ...(kept === undefined ? {} : { headers: kept }) }));
    response.destroy();
  });
  outgoing.on("error", reject);
  // After an answer that asks for another protocol, there is neither a response nor an error.
  outgoing.on("close", () => reject(new Error("The receiver did not respond")));
  outgoing.end(body);
  return promise;
}
