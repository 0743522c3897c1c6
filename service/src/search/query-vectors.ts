import { sha256Hex } from "../platform/digest.ts";

/** What a vector is found by. */
export interface EmbeddedQuery {
  organizationId: string;
  model: string;
  text: string;
}

const BYTES_OF_NUMBER = 8;

/**
 * Keeps the vectors of recent queries, to save calls of the embedding model. The least recently used ones are dropped
 * first.
 *
 * Each organization has entries of its own. Otherwise the time of a response would reveal what another one has
 * searched for. The texts are not kept, only their hashes.
 */
export class QueryVectors {
  readonly #vectors = new Map<string, number[]>();
  readonly #entriesMax: number;
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(entriesMax = 1_000, bytesMax = 4_000_000) {
    this.#entriesMax = entriesMax;
    this.#bytesMax = bytesMax;
  }

  async get(query: EmbeddedQuery): Promise<number[] | undefined> {
    const name = await nameOf(query);
    const vector = this.#vectors.get(name);
    if (vector === undefined) return undefined;
    // A Map keeps the order of insertion, so the first entry is the least recently used one.
    this.#vectors.delete(name);
    this.#vectors.set(name, vector);
    return vector;
  }

  async set(query: EmbeddedQuery, vector: number[]): Promise<void> {
    const name = await nameOf(query);
    this.#drop(name);
    this.#vectors.set(name, vector);
    this.#bytes += bytesOf(vector);
    for (const oldest of this.#vectors.keys()) {
      if (this.#vectors.size <= this.#entriesMax && this.#bytes <= this.#bytesMax) return;
      this.#drop(oldest);
    }
  }

  #drop(name: string): void {
    this.#bytes -= bytesOf(this.#vectors.get(name) ?? []);
    this.#vectors.delete(name);
  }
}

const bytesOf = (vector: number[]): number => vector.length * BYTES_OF_NUMBER;

const nameOf = async ({ organizationId, model, text }: EmbeddedQuery): Promise<string> =>
  `${organizationId} ${await sha256Hex(text)} ${model}`;
