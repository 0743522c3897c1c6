import { setTimeout as sleep } from "node:timers/promises";
import type { EndpointAddress } from "../../endpoints/address.ts";
import { describeFailure } from "../../endpoints/failure.ts";
import { OversizedAnswer, postJson, Refusal } from "../../endpoints/post.ts";
import { readVectors } from "./answers.ts";

export interface EndpointPatience {
  /** Includes reading the response. */
  callTimeoutMs: number;
  /** Includes retries. Shorter than the time after which `EmbeddingQueue` fails a call. */
  deadlineMs: number;
  pauseMs: number;
}

const PATIENCE: EndpointPatience = { callTimeoutMs: 10_000, deadlineMs: 15_000, pauseMs: 250 };

const RETRIES_MAX = 2;

/** Temporary, whatever the request was. */
const BUSY = [408, 425, 429, 503];
/** May be caused by the texts. */
const ABOUT_TEXTS = [400, 413, 422];

/** The message contains no text of the endpoint, which may repeat the texts. */
export class CallFailure extends Error {
  /**
   * "texts": other texts, or fewer, may succeed. "slow": fewer texts may succeed. "endpoint": no call would.
   */
  readonly blame: "texts" | "slow" | "endpoint";
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
  readonly #stopped = new AbortController();

  constructor(address: EndpointAddress, patience: Partial<EndpointPatience> = {}) {
    this.#address = address;
    this.#patience = { ...PATIENCE, ...patience };
  }

  /** All vectors have the same size. @throws {CallFailure} After retries, if the failure was temporary. */
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

  /** Without retries. @throws {CallFailure} */
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

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopped.signal }).catch(() => {});
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

/** The header has seconds or a date. */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined;
  if (/^\d+(\.\d+)?$/.test(header.trim())) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
