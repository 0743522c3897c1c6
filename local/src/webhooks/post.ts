import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { type Request, Response } from "miniflare";
import { AddressRefused, publicLookup } from "./addresses.ts";

/** Time in which a receiver must respond. The Worker stops waiting earlier. */
const TIMEOUT_MS = 12_000;
const REFUSED_STATUS = 502;

/**
 * Sends a request of a webhook to a public address, and answers with the status alone. Locally nothing else keeps a
 * Worker from requests to this machine and its network. Redirects are not followed.
 */
export async function postWebhook(
  request: Request,
  lookup: LookupFunction = publicLookup(),
): Promise<Response> {
  const url = new URL(request.url);
  try {
    // Node resolves no name for an address, so the lookup would not see it.
    if (url.protocol !== "https:" || isIP(url.hostname.replace(/^\[|\]$/g, "")) !== 0)
      throw new AddressRefused("a webhook needs https and a host name");
    return await send(
      url,
      { headers: Object.fromEntries(request.headers), body: await request.text() },
      lookup,
    );
  } catch {
    return new Response(null, { status: REFUSED_STATUS });
  }
}

function send(
  url: URL,
  { headers, body }: { headers: Record<string, string>; body: string },
  lookup: LookupFunction,
): Promise<Response> {
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  const { host: _, ...sent } = headers;
  const options = {
    method: "POST",
    headers: { ...sent, "content-length": Buffer.byteLength(body) },
    lookup,
    // A connection that is kept would not be checked again.
    agent: false,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  } as const;
  const outgoing = requestHttps(url.href, options, (response) => {
    const { "retry-after": retryAfter } = response.headers;
    const kept = retryAfter === undefined ? undefined : { "retry-after": retryAfter };
    // A status of 100 to 199 is none that a response of `fetch` can have.
    const status = Math.max(200, response.statusCode ?? REFUSED_STATUS);
    resolve(new Response(null, { status, ...(kept === undefined ? {} : { headers: kept }) }));
    response.destroy();
  });
  outgoing.on("error", reject);
  outgoing.end(body);
  return promise;
}
