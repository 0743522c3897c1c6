import { type Embedded, type EmbeddingSource, Outage, RefusedText } from "../source.ts";
import { CallFailure, type EndpointClient } from "./calls.ts";

/** Texts of one call at first: few enough for every server known, enough to hide the way there and back. */
const TEXTS_MAX = 32;
/** A call that answers faster than this may carry twice as many texts next time. */
const FAST_MS = 2_000;
/** How long an endpoint that has not answered in time is not asked: whoever searches gets words at once. */
const SLOW_REST_MS = 5_000;
/** The longest pause that an endpoint is granted; some ask for a day. */
const REST_MAX_MS = 300_000;
/** A text that any model takes: what fails on it fails on everything. */
const HARMLESS_TEXT = "hello";

/**
 * Any endpoint that speaks `/v1/embeddings`.
 *
 * What fails a call may be one of its texts, their number, or the endpoint itself: a harmless text tells.
 * When that one passes, the call is split until the text that is refused stands alone.
 */
export class EndpointSource implements EmbeddingSource {
  readonly callsMax = 2;
  readonly #client: EndpointClient;
  readonly #dimensions: number;
  readonly #say: (line: string) => void;
  /** Texts that a call carries now: fewer where the endpoint is slow. */
  #textsMax = TEXTS_MAX;
  /** Texts that the endpoint takes in a call, as far as it has shown. */
  #textsLimit = TEXTS_MAX;
  /** Until when the endpoint is left alone. */
  #restUntilMs = 0;
  /** What was said of an endpoint since it failed; each reason once. */
  readonly #troubles = new Set<string>();

  #isStopped = false;

  constructor(client: EndpointClient, dimensions: number, say: (line: string) => void) {
    this.#client = client;
    this.#dimensions = dimensions;
    this.#say = say;
  }

  get textsMax(): number {
    return this.#textsMax;
  }

  async embed(texts: string[]): Promise<Embedded[]> {
    if (Date.now() < this.#restUntilMs) throw new Outage("the embeddings endpoint is left alone for a while");
    try {
      const embedded = await this.#embed(texts, false);
      if (this.#troubles.size > 0) this.#say("The embeddings endpoint answers again.");
      this.#troubles.clear();
      return embedded;
    } catch (error) {
      throw this.#outage(error);
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#client.stop();
  }

  /** @param answers Whether the endpoint is known to answer other texts. */
  async #embed(texts: string[], answers: boolean): Promise<Embedded[]> {
    const sinceMs = Date.now();
    try {
      const vectors = this.#checked(await this.#call(texts));
      const wasFull = !answers && texts.length === this.#textsMax;
      if (wasFull && Date.now() - sinceMs < FAST_MS) {
        this.#textsMax = Math.min(2 * this.#textsMax, this.#textsLimit);
      }
      return vectors;
    } catch (error) {
      if (!(error instanceof CallFailure) || error.blame === "endpoint") throw error;
      if (!answers) await this.#client.embedOnce([HARMLESS_TEXT]);
      return await this.#split(texts, error);
    }
  }

  /** What each text comes to when a call of them all has failed, of an endpoint that answers others. */
  async #split(texts: string[], failure: CallFailure): Promise<Embedded[]> {
    if (texts.length === 1) return [new RefusedText(failure.message)];
    const half = Math.ceil(texts.length / 2);
    if (failure.blame === "slow") this.#textsMax = Math.min(this.#textsMax, half);
    const embedded = [
      ...(await this.#embed(texts.slice(0, half), true)),
      ...(await this.#embed(texts.slice(half), true)),
    ];
    const wasTextRefused = embedded.some((one) => one instanceof RefusedText);
    if (failure.blame === "texts" && !failure.passing && !wasTextRefused) {
      this.#textsLimit = Math.min(this.#textsLimit, half);
      this.#textsMax = Math.min(this.#textsMax, half);
    }
    return embedded;
  }

  /** Of an endpoint that failed last time, nobody waits for retries. */
  async #call(texts: string[]): Promise<Float32Array[]> {
    return this.#troubles.size > 0 ? await this.#client.embedOnce(texts) : await this.#client.embed(texts);
  }

  #checked(vectors: Float32Array[]): Float32Array[] {
    const answered = vectors[0]?.length;
    if (answered === this.#dimensions) return vectors;
    throw new CallFailure(
      `vectors of ${answered} dimensions, where the index has ${this.#dimensions}: its model has changed. ` +
        "Start Engram again to index with the new one",
      { blame: "endpoint" },
    );
  }

  #outage(error: unknown): Outage {
    const reason = error instanceof Error ? error.message : String(error);
    if (error instanceof CallFailure) {
      const restMs = error.retryAfterMs ?? (error.blame === "slow" ? SLOW_REST_MS : 0);
      this.#restUntilMs = Date.now() + Math.min(restMs, REST_MAX_MS);
    }
    if (!this.#isStopped && !this.#troubles.has(reason)) {
      this.#say(
        `The embeddings endpoint fails: ${reason}. Until it answers, messages are found by their words only.`,
      );
    }
    this.#troubles.add(reason);
    return new Outage(`the embeddings endpoint fails: ${reason}`);
  }
}
