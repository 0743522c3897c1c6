import { setTimeout as sleep } from "node:timers/promises";
import { networkReason } from "../network-reason.ts";
import { readVectors } from "./answers.ts";
import { readBounded } from "./bodies.ts";

/** Where and as whom an endpoint is asked. */
export interface EndpointAddress {
  /** Texts are posted here. */
  url: string;
  model: string;
  apiKey: string | undefined;
}

/** How patient the client is; tests have less time. */
export interface EndpointPatience {
  /** For one call, its whole answer included. */
  callTimeoutMs: number;
  /** For a call with its retries: less than the queue's callers wait. */
  deadlineMs: number;
  /** The first pause before a retry, about; each further one is twice as long. */
  pauseMs: number;
}

const PATIENCE: EndpointPatience = { callTimeoutMs: 10_000, deadlineMs: 15_000, pauseMs: 250 };

/** As often as the SDK. */
const RETRIES_MAX = 2;
/** An answer is 3 MB at most (32 texts of 4,096 dimensions); beyond this it is none. */
const ANSWER_BYTES_MAX = 16_000_000;
const ERROR_BYTES_MAX = 100_000;
/** What people are shown of an endpoint's own words. */
const REASON_LENGTH_MAX = 300;

/** Statuses that say "later", whatever was sent. */
const BUSY = [408, 425, 429, 503];
/** Statuses that may be about the texts that were sent. */
const ABOUT_TEXTS = [400, 413, 422];

/** Why a call brought no vectors. */
export class CallFailure extends Error {
  /** "texts" when other texts, or fewer, might fare better; "slow" likewise, but it took its time. */
  readonly blame: "texts" | "slow" | "endpoint";
  /** Whether the same call may succeed later. */
  readonly passing: boolean;
  /** What the endpoint itself asked for. */
  readonly retryAfterMs: number | undefined;

  constructor(
    reason: string,
    about: { blame: CallFailure["blame"]; passing?: boolean; retryAfterMs?: number | undefined },
  ) {
    super(reason);
    this.blame = about.blame;
    this.passing = about.passing ?? false;
    this.retryAfterMs = about.retryAfterMs;
  }
}

/** Speaks `/v1/embeddings`: one call at a time, with retries where they may help. */
export class EndpointClient {
  readonly #address: EndpointAddress;
  readonly #patience: EndpointPatience;
  readonly #stopped = new AbortController();

  constructor(address: EndpointAddress, patience: Partial<EndpointPatience> = {}) {
    this.#address = address;
    this.#patience = { ...PATIENCE, ...patience };
  }

  /**
   * A vector per text, in order, all of one size.
   *
   * @throws {CallFailure} When there is none, though what may pass was tried again.
   */
  async embed(texts: string[]): Promise<Float32Array[]> {
    const deadlineMs = Date.now() + this.#patience.deadlineMs;
    for (let retries = 0; ; retries++) {
      try {
        return await this.embedOnce(texts, deadlineMs - Date.now());
      } catch (error) {
        if (!(error instanceof CallFailure && error.passing) || retries === RETRIES_MAX) throw error;
        const pauseMs = this.#patience.pauseMs * 2 ** retries * (0.5 + Math.random());
        const waitMs = error.retryAfterMs ?? pauseMs;
        if (Date.now() + waitMs >= deadlineMs || this.#stopped.signal.aborted) throw error;
        await this.#pause(waitMs);
      }
    }
  }

  /** The same by one call without retries. @throws {CallFailure} */
  async embedOnce(texts: string[], timeoutMs = this.#patience.callTimeoutMs): Promise<Float32Array[]> {
    const limitMs = Math.max(1, Math.min(timeoutMs, this.#patience.callTimeoutMs));
    const timeout = AbortSignal.timeout(limitMs);
    try {
      return await this.#post(texts, AbortSignal.any([timeout, this.#stopped.signal]));
    } catch (error) {
      if (this.#stopped.signal.aborted) throw new CallFailure("Engram is stopping", { blame: "endpoint" });
      if (timeout.aborted) throw new CallFailure("no answer in time", { blame: "slow" });
      if (error instanceof CallFailure) throw error;
      throw new CallFailure(this.#withoutKey(networkReason(error)), { blame: "texts", passing: true });
    }
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #post(texts: string[], signal: AbortSignal): Promise<Float32Array[]> {
    const { url, model, apiKey } = this.#address;
    const response = await fetch(url, {
      method: "POST",
      headers: {
        accept: "application/json",
        "content-type": "application/json",
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ model, input: texts, encoding_format: "float" }),
      // Followed, a redirect would take texts and key to somebody whom nobody has named.
      redirect: "manual",
      signal,
    });
    if (!response.ok) throw await this.#refusal(response);
    const text = await readBounded(response, ANSWER_BYTES_MAX);
    if (text === undefined) {
      throw new CallFailure(`an answer of more than ${ANSWER_BYTES_MAX} bytes`, { blame: "texts" });
    }
    const vectors = readVectors(text, texts.length);
    if (typeof vectors === "string") throw new CallFailure(this.#withoutKey(vectors), { blame: "texts" });
    return vectors;
  }

  async #refusal(response: Response): Promise<CallFailure> {
    const { status, headers } = response;
    if (status >= 300 && status < 400) {
      await response.body?.cancel();
      return new CallFailure(
        `a redirect (${status}) to ${this.#target(headers.get("location"))}, which is not followed: ` +
          "name the right address in ENGRAM_EMBEDDINGS_URL",
        { blame: "endpoint" },
      );
    }
    const body = await readBounded(response, ERROR_BYTES_MAX).catch(() => undefined);
    const reason = `${status} ${this.#withoutKey(readReason(body ?? ""))}`.trim();
    if (BUSY.includes(status)) {
      const retryAfterMs = readRetryAfter(headers.get("retry-after"), Date.now());
      return new CallFailure(reason, { blame: "endpoint", passing: true, retryAfterMs });
    }
    if (status >= 500) return new CallFailure(reason, { blame: "texts", passing: true });
    return new CallFailure(reason, { blame: ABOUT_TEXTS.includes(status) ? "texts" : "endpoint" });
  }

  /** Where a redirect leads, without what may be secret in it. */
  #target(location: string | null): string {
    if (location === null || !URL.canParse(location, this.#address.url)) return "nowhere";
    const { origin, pathname } = new URL(location, this.#address.url);
    return this.#withoutKey(origin + pathname);
  }

  /** Endpoints like to repeat what they were sent. */
  #withoutKey(text: string): string {
    const { apiKey } = this.#address;
    return apiKey === undefined ? text : text.replaceAll(apiKey, "…");
  }

  /** Resolves early when the client is stopped. */
  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopped.signal }).catch(() => {});
  }
}

/** Milliseconds that a Retry-After header asks for, in seconds or as a date; undefined when it says nothing. */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
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
