import { type Embedded, type EmbeddingSource, Outage, RefusedText } from "../source.ts";
import { CallFailure, type EndpointClient } from "./calls.ts";

/** Every known server accepts 32 texts in a call. More would save little time. */
const TEXTS_MAX = 32;
/** If a call with the maximum number of texts takes less than this, the next may have twice as many. */
const FAST_MS = 2_000;
/**
 * Pause after the endpoint did not respond in time. During it, calls fail at once, so that searches use only
 * keywords without waiting.
 */
const SLOW_REST_MS = 5_000;
/** Longest pause, whatever the endpoint asks for. Some ask for a day. */
const REST_MAX_MS = 300_000;
/** If this text fails too, the cause is not one of the other texts, and the endpoint does not work at all. */
const HARMLESS_TEXT = "hello";

/**
 * Embeds texts with an endpoint. A call may fail because of one of its texts, their number, or the server
 * itself. So after a failure, a harmless text is sent. If that succeeds, the texts are split into smaller
 * calls, until a rejected text is alone.
 */
export class EndpointSource implements EmbeddingSource {
  readonly callsMax = 2;
  readonly #client: EndpointClient;
  readonly #dimensions: number;
  readonly #say: (line: string) => void;
  /** Texts in the next call, at most `#textsLimit`. Lower while the endpoint is slow. */
  #textsMax = TEXTS_MAX;
  /**
   * Texts up to which `#textsMax` may grow again. Lower once the endpoint has rejected a call only because of
   * its number of texts.
   */
  #textsLimit = TEXTS_MAX;
  #restUntilMs = 0;
  /** Failures that were printed since the endpoint last worked, so that each is printed once. */
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

  /**
   * After a failure, does not retry until a call succeeds: callers should not wait for retries while the
   * endpoint fails.
   */
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
