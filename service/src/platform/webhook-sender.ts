import type { WebhookAttempt } from "@engram/spec";

/** Time in which a receiver must respond. */
const TIMEOUT_MS = 10_000;

/**
 * Header in which the binding states how a request ended, as JSON of {@link Outcome}: a `Response` can neither have each
 * status that a receiver can send nor say why there was none.
 */
const OUTCOME_HEADER = "engram-webhook-outcome";

/** One of them is null. */
interface Outcome {
  status: number | null;
  error: WebhookAttempt["error"];
}

/** How a request ended. */
export interface Delivered {
  /** HTTP status of the response; null if none arrived. */
  status: number | null;
  /** Null if the request succeeded. */
  error: WebhookAttempt["error"];
  /** Whether the receiver wants no more. */
  isGone: boolean;
  /** The wait that the receiver asks for; null if it asks for none. */
  retryAfterMs: number | null;
}

export interface WebhookSender {
  /** Never throws. Does not follow redirects, and does not read the response's body. */
  post(url: string, request: { headers: Record<string, string>; body: string }): Promise<Delivered>;
}

/** Sends requests through the binding, or over the network without one. */
export const webhookSender = (binding: Pick<Fetcher, "fetch"> | undefined): WebhookSender => ({
  async post(url, { headers, body }) {
    const init = {
      method: "POST",
      headers: { ...headers, "content-type": "application/json", "user-agent": "Engram-Webhooks" },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    } as const;
    try {
      const response = await (binding === undefined ? fetch(url, init) : binding.fetch(url, init));
      // Its status counts, also if the connection breaks after that.
      await response.body?.cancel().catch(() => {});
      const { status, error } = outcomeOf(response, binding !== undefined);
      const wait = Number(response.headers.get("retry-after") ?? Number.NaN);
      return {
        status,
        error: error ?? errorOf(status),
        isGone: status === 410,
        retryAfterMs: Number.isFinite(wait) && wait > 0 ? 1_000 * wait : null,
      };
    } catch {
      const error = init.signal.aborted ? "timeout" : "no_response";
      return { status: null, error, isGone: false, retryAfterMs: null };
    }
  },
});

/** A receiver that responds without the binding could send the header itself. */
function outcomeOf({ headers, status }: Response, isBinding: boolean): Outcome {
  const stated = isBinding ? headers.get(OUTCOME_HEADER) : null;
  return stated === null ? { status, error: null } : (JSON.parse(stated) as Outcome);
}

function errorOf(status: number | null): WebhookAttempt["error"] {
  if (status === null) return "no_response";
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? "redirect" : "status";
}
