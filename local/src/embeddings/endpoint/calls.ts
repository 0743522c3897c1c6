import { setTimeout as sleep } from "node:timers/promises";
import type { EndpointAddress } from "../../endpoints/address.ts";
import { describeFailure } from "../../endpoints/failure.ts";
import { OversizedAnswer, postJson, Refusal } from "../../endpoints/post.ts";
import { readVectors } from "./answers.ts";

export interface EndpointPatience {
  /** Limit for one request, including the time to read the response. */
  callTimeoutMs: number;
  /**
   * Limit for `embed`, including retries. Shorter than the time after which `EmbeddingQueue` fails a call.
   */
  deadlineMs: number;
  /** Average pause before the first retry. The pause before the second is twice as long. */
  pauseMs: number;
}

const PATIENCE: EndpointPatience = { callTimeoutMs: 10_000, deadlineMs: 15_000, pauseMs: 250 };

const RETRIES_MAX = 2;

/** Resolves after a time, or rejects when the signal aborts. */
type Pause = (ms: number, signal: AbortSignal) => Promise<void>;
const pauseForReal: Pause = (ms, signal) => sleep(ms, undefined, { signal });

/** Status codes of a temporary failure that the request did not cause. */
const BUSY = [408, 425, 429, 503];
/** Status codes of a failure that the texts may have caused. */
const ABOUT_TEXTS = [400, 413, 422];

/** The message contains nothing from the endpoint's response, because that may repeat the texts. */
export class CallFailure extends Error {
  /**
   * What caused the failure. `"texts"`: other texts, or fewer, may succeed. `"slow"`: fewer texts may
   * succeed. `"endpoint"`: the texts are not the cause, so a call with other texts would fail too.
   */
  readonly blame: "texts" | "slow" | "endpoint";
  /** True if the same call may succeed later. */
  readonly passing: boolean;
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

export class EndpointClient {
  readonly #address: EndpointAddress;
  readonly #patience: EndpointPatience;
  readonly #pause: Pause;
  readonly #stopped = new AbortController();

  constructor(address: EndpointAddress, patience: Partial<EndpointPatience> = {}, pause = pauseForReal) {
    this.#address = address;
    this.#patience = { ...PATIENCE, ...patience };
    this.#pause = pause;
  }

  /**
   * Embeds texts, and tries again after a temporary failure. All vectors have the same number of dimensions.
   *
   * @throws {CallFailure} If the failure is not temporary, or the retries fail too.
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
        await this.#pause(waitMs, this.#stopped.signal).catch(() => {});
      }
    }
  }

  /**
   * Like `embed`, but without retries.
   *
   * @throws {CallFailure}
   */
  async embedOnce(texts: string[], timeoutMs = this.#patience.callTimeoutMs): Promise<Float32Array[]> {
    const limitMs = Math.max(1, Math.min(timeoutMs, this.#patience.callTimeoutMs));
    const timeout = AbortSignal.timeout(limitMs);
    try {
      return await this.#post(texts, AbortSignal.any([timeout, this.#stopped.signal]));
    } catch (error) {
      if (this.#stopped.signal.aborted) throw new CallFailure("Engram is stopping", { blame: "endpoint" });
      if (timeout.aborted) throw new CallFailure("no answer in time", { blame: "slow" });
      if (error instanceof CallFailure) throw error;
      if (error instanceof Refusal) throw toFailure(error);
      if (error instanceof OversizedAnswer) throw new CallFailure(error.message, { blame: "texts" });
      throw new CallFailure(describeFailure(error), { blame: "texts", passing: true });
    }
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #post(texts: string[], signal: AbortSignal): Promise<Float32Array[]> {
    const { model } = this.#address;
    const body = { model, input: texts, encoding_format: "float" };
    const text = await postJson(this.#address, body, { signal, prefix: "ENGRAM_EMBEDDINGS" });
    const vectors = readVectors(text, texts.length);
    if (typeof vectors !== "string") return vectors;
    throw new CallFailure(vectors, { blame: "texts" });
  }
}

function toFailure({ status, message, headers }: Refusal): CallFailure {
  if (BUSY.includes(status)) {
    const retryAfterMs = readRetryAfter(headers.get("retry-after"), Date.now());
    return new CallFailure(message, { blame: "endpoint", passing: true, retryAfterMs });
  }
  if (status >= 500) return new CallFailure(message, { blame: "texts", passing: true });
  return new CallFailure(message, { blame: ABOUT_TEXTS.includes(status) ? "texts" : "endpoint" });
}

/** Reads the header `Retry-After`, which has seconds or a date. Undefined if it is absent or invalid. */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
