import { createHash } from "node:crypto";
import { type Embedded, type EmbeddingSource, Outage, RefusedText } from "./source.ts";

/** Must be shorter than 20 s, after which the service itself stops waiting. */
const CALL_TIMEOUT_MS = 18_000;
/** Texts that may wait or be processed at a time. Calls that would exceed the number fail at once. */
const WAITING_MAX = 5_000;
/**
 * Indexing many texts sends more in a call. The first search after a start sends 25, to learn how near unrelated texts
 * are.
 */
const FEW_MAX = 32;
/**
 * Vectors that are cached: twice as many as one indexing run of the service needs before it stores any of
 * them.
 */
const KEPT_MAX = 2_000;

/** The message has the form of Workers AI's errors: "<internal code>: <description>". */
export class EmbeddingError extends Error {
  constructor(internalCode: 3007 | 3040 | 5006, description: string) {
    super(`${internalCode}: ${description}`);
  }
}

interface Work extends PromiseWithResolvers<Embedded> {
  text: string;
}

/**
 * Makes a slow model usable with the service's timeouts.
 *
 * A model can need longer for a hundred texts than the service waits. The call then fails in time, but the
 * work continues, and its vectors are cached for the retry. A call with a single text comes from a search,
 * and is processed first. Calls with few texts follow, before those with many.
 */
export class EmbeddingQueue {
  readonly #source: EmbeddingSource;
  readonly #timeoutMs: number;
  readonly #pending = new Map<string, Work>();
  readonly #urgent = new Set<Work>();
  readonly #few = new Set<Work>();
  readonly #many = new Set<Work>();
  /** In the order in which they are served. */
  readonly #lanes = [this.#urgent, this.#few, this.#many];
  /** Cached vectors by a hash of their text, the most recent last. */
  readonly #kept = new Map<string, Float32Array>();
  #calls = 0;

  constructor(source: EmbeddingSource, timeoutMs = CALL_TIMEOUT_MS) {
    this.#source = source;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * @throws {EmbeddingError} 5006 if the model rejects a text, 3007 after a timeout, 3040 if too many texts
   * wait or the model fails.
   */
  async embed(texts: string[]): Promise<Float32Array[]> {
    if (this.#pending.size + texts.length > WAITING_MAX) {
      throw new EmbeddingError(3040, `Capacity temporarily exceeded: ${this.#pending.size} texts wait`);
    }
    const results = texts.map((text) => this.#find(text) ?? this.#enqueue(text, this.#laneOf(texts)));
    this.#run();
    const vectors: Float32Array[] = [];
    for (const embedded of await this.#inTime(Promise.all(results))) {
      if (embedded instanceof RefusedText) throw new EmbeddingError(5006, `Error: ${embedded.reason}`);
      vectors.push(embedded);
    }
    return vectors;
  }

  stop(): void {
    this.#source.stop();
    this.#fail([], new Outage("Engram is stopping"));
  }

  async #inTime<T>(results: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      const late = () =>
        reject(new EmbeddingError(3007, `Request timeout: no vectors within ${this.#timeoutMs} ms`));
      timer = setTimeout(late, this.#timeoutMs);
    });
    try {
      return await Promise.race([results, timeout]);
    } catch (error) {
      if (error instanceof EmbeddingError) throw error;
      throw new EmbeddingError(3040, error instanceof Error ? error.message : String(error));
    } finally {
      clearTimeout(timer);
    }
  }

  #find(text: string): Float32Array | undefined {
    return this.#kept.get(hash(text));
  }

  #laneOf({ length }: string[]): Set<Work> {
    if (length === 1) return this.#urgent;
    return length <= FEW_MAX ? this.#few : this.#many;
  }

  #removeFromLanesBehind(lane: Set<Work>, work: Work): boolean {
    const behind = this.#lanes.slice(this.#lanes.indexOf(lane) + 1);
    return behind.some((other) => other.delete(work));
  }

  #enqueue(text: string, lane: Set<Work>): Promise<Embedded> {
    let work = this.#pending.get(text);
    if (work === undefined) {
      work = { text, ...Promise.withResolvers<Embedded>() };
      this.#pending.set(text, work);
      lane.add(work);
    } else if (this.#removeFromLanesBehind(lane, work)) {
      lane.add(work);
    }
    return work.promise;
  }

  /**
   * Starts calls for waiting texts, up to the source's `callsMax`. While the text of a search waits, one more
   * call is allowed.
   */
  #run(): void {
    while (this.#calls < this.#source.callsMax + (this.#urgent.size > 0 ? 1 : 0)) {
      const lane = this.#lanes.find(({ size }) => size > 0) ?? this.#many;
      const batch = [...lane].slice(0, this.#source.textsMax);
      if (batch.length === 0) return;
      for (const work of batch) lane.delete(work);
      void this.#call(batch);
    }
  }

  async #call(batch: Work[]): Promise<void> {
    this.#calls++;
    try {
      const results = await this.#source.embed(batch.map(({ text }) => text));
      batch.forEach((work, i) => {
        const embedded = results[i] ?? new RefusedText("the model passed it over");
        if (embedded instanceof Float32Array) this.#keep(work.text, embedded);
        this.#pending.delete(work.text);
        work.resolve(embedded);
      });
    } catch (error) {
      this.#fail(batch, error);
    } finally {
      this.#calls--;
      this.#run();
    }
  }

  /** Also rejects all waiting texts, because they would fail for the same reason. */
  #fail(batch: Work[], error: unknown): void {
    for (const work of [...batch, ...this.#lanes.flatMap((lane) => [...lane])]) {
      this.#pending.delete(work.text);
      work.reject(error);
    }
    for (const lane of this.#lanes) lane.clear();
  }

  #keep(text: string, vector: Float32Array): void {
    this.#kept.set(hash(text), vector);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > KEPT_MAX && oldest !== undefined) this.#kept.delete(oldest);
  }
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
