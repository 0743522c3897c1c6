import { type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { type Request, Response } from "miniflare";
import { AddressRefused, checkedLookup, isReceiverAddress } from "./addresses.ts";
import { isListed } from "./hosts.ts";

/** Time in which a receiver must respond. The Worker stops waiting earlier. */
const TIMEOUT_MS = 12_000;
/** Status of the `Response` for an outcome that is stated in the header. */
const OUTCOME_STATUS = 502;
/** Header in which the service reads how a request ended: `webhook-sender.ts`. */
const OUTCOME_HEADER = "engram-webhook-outcome";

interface Sending {
  /** Hosts that may have addresses of a private network, and be reached with `http`. */
  hosts?: readonly string[];
  lookup?: LookupFunction;
  timeoutMs?: number;
}

/** Why there was no response, as `error` of a webhook's attempt. */
type Failure =
  | "timeout"
  | "name_not_resolved"
  | "connection_failed"
  | "tls_failed"
  | "connection_closed"
  | "invalid_response"
  | "url_refused";

/**
 * Sends a request of a webhook to a public address or a host that the operator allows, and answers with the status alone,
 * or with the reason why there is none. Locally nothing else keeps a Worker from requests to this machine and its network.
 * Redirects are not followed.
 */
export async function postWebhook(request: Request, sending: Sending = {}): Promise<Response> {
  const url = new URL(request.url);
  const { hosts = [] } = sending;
  const isAllowed = isListed(url, hosts);
  // Node resolves no name for an address, so the lookup would not see it.
  const isName = isIP(url.hostname.replace(/^\[|\]$/g, "")) === 0;
  if (!isName || (url.protocol !== "https:" && !isAllowed)) return toOutcome({ error: "url_refused" });
  return send(
    url,
    { headers: Object.fromEntries(request.headers), body: await request.text() },
    {
      lookup: checkedLookup(isAllowed ? isReceiverAddress : undefined),
      ...sending,
    },
  );
}

const toOutcome = ({ status = null, error = null }: { status?: number | null; error?: Failure | null }) =>
  new Response(null, {
    status: OUTCOME_STATUS,
    headers: { [OUTCOME_HEADER]: JSON.stringify({ status, error }) },
  });

function send(
  url: URL,
  { headers, body }: { headers: Record<string, string>; body: string },
  { lookup, timeoutMs = TIMEOUT_MS }: Sending & Required<Pick<Sending, "lookup">>,
): Promise<Response> {
  const { host: _, ...sent } = headers;
  const { promise, resolve } = Promise.withResolvers<Response>();
  const signal = AbortSignal.timeout(timeoutMs);
  const options = {
    method: "POST",
    headers: { ...sent, "content-length": Buffer.byteLength(body) },
    lookup,
    // A connection that is kept would not be checked again.
    agent: false,
    signal,
  } as const;
  const request = url.protocol === "https:" ? requestHttps : requestHttp;
  const outgoing = request(url.href, options);
  const phaseOf = followPhases(outgoing);
  outgoing.on("response", (response) => {
    resolve(toResponse(response));
    response.destroy();
  });
  // A response with the status 101.
  outgoing.on("upgrade", (response, socket) => {
    resolve(toResponse(response));
    socket.destroy();
  });
  outgoing.on("error", (error) =>
    resolve(toOutcome({ error: signal.aborted ? "timeout" : failureOf(error, phaseOf()) })),
  );
  outgoing.on("close", () => resolve(toOutcome({ error: "connection_closed" })));
  outgoing.end(body);
  return promise;
}

function toResponse({ statusCode = 0, headers }: IncomingMessage): Response {
  // A `Response` can have no other status.
  if (statusCode < 200 || statusCode > 599) return toOutcome({ status: statusCode });
  const { "retry-after": retryAfter } = headers;
  return new Response(null, {
    status: statusCode,
    headers: retryAfter === undefined ? {} : { "retry-after": retryAfter },
  });
}

/** How far a request has come. A name is resolved while it connects. */
type Phase = "connecting" | "securing" | "sent";

function followPhases(outgoing: ClientRequest): () => Phase {
  let phase: Phase = "connecting";
  outgoing.on("socket", (socket) => {
    socket.on("connect", () => {
      phase = "encrypted" in socket ? "securing" : "sent";
    });
    socket.on("secureConnect", () => {
      phase = "sent";
    });
  });
  return () => phase;
}

function failureOf(error: NodeJS.ErrnoException, phase: Phase): Failure {
  if (error instanceof AddressRefused) return "url_refused";
  if (error.syscall === "getaddrinfo") return "name_not_resolved";
  if (phase === "connecting") return "connection_failed";
  if (phase === "securing") return "tls_failed";
  return error.code?.startsWith("HPE_") === true ? "invalid_response" : "connection_closed";
}
