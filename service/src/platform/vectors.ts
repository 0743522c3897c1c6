import { SHARED_USER } from "./batch.ts";
import { slices, TIMEOUT_MS, withTimeout } from "./calls.ts";
import { sha256Hex } from "./digest.ts";
import { callPort } from "./failures.ts";

const DAY_MS = 86_400_000;

/** Maximum vectors in one call of Vectorize. Its limits for `get` and `delete` are not documented. */
export const UPSERT_VECTORS_MAX = 1_000;
export const DELETE_VECTORS_MAX = 100;
export const GET_VECTORS_MAX = 20;
/** Calls that run at the same time. A Worker has at most six open connections. */
const CALLS_AT_ONCE = 6;
/** Maximum matches of one query. */
export const QUERY_MATCHES_MAX = 100;
/** Maximum conversations in one filter, which must have fewer than 2,048 bytes. */
export const FILTER_CONVERSATIONS_MAX = 40;

/**
 * Properties of a vector that queries can filter by. Texts except `kind` are hashed, because Vectorize indexes only 64
 * bytes of a text.
 */
export interface VectorMetadata {
  conversation_id: string;
  agent: string;
  user: string;
  kind: "conversation" | "memory";
  model: string;
  /** Day of the earliest message in the chunk, in days since the epoch. */
  day: number;
  /** Day of the latest message in the chunk, in days since the epoch. */
  last_day: number;
}

export interface StoredVector {
  id: string;
  values: number[];
  metadata: VectorMetadata;
  /** Hash of the text that the vector was computed from. */
  textHash: string;
}

export interface VectorMatch {
  id: string;
  /** Cosine similarity, −1 to 1. */
  score: number;
}

export type VectorFilter = {
  [Field in keyof VectorMetadata]?:
    | VectorMetadata[Field]
    | { $in: VectorMetadata[Field][] }
    | { $nin: VectorMetadata[Field][] }
    | { $gte?: number; $lte?: number };
};

/** Queries may see a change of the store some seconds later. Each method rejects with a {@link PortFailure} if it fails. */
export interface VectorStore {
  /** Whether queries see a change later. Otherwise they see it at once. */
  readonly hasLag: boolean;
  upsert(organizationId: string, vectors: StoredVector[]): Promise<void>;
  /** Resolves to the vectors most similar to `vector`, best first. */
  query(
    organizationId: string,
    vector: number[],
    filter: VectorFilter,
    timeoutMs?: number,
  ): Promise<VectorMatch[]>;
  delete(ids: string[]): Promise<void>;
  /**
   * Resolves to the text hashes of those of the ids that have a vector. A hash is null if the vector was stored without
   * one.
   */
  existing(ids: string[], timeoutMs?: number): Promise<Map<string, string | null>>;
}

export interface VectorizeBinding {
  upsert(vectors: VectorizeVector[]): Promise<unknown>;
  query(vector: number[], options: VectorizeQueryOptions): Promise<{ matches: VectorMatch[] }>;
  deleteByIds(ids: string[]): Promise<unknown>;
  getByIds(ids: string[]): Promise<Pick<VectorizeVector, "id" | "metadata" | "values">[]>;
}

/** A store that also returns what it has. */
export interface ReadableStore extends VectorStore {
  /** Those of the ids that have a vector. */
  read(ids: string[]): Promise<StoredVector[]>;
}

/** A vector store in Vectorize. Each organization has a namespace of its own. */
export function vectorizeStore(index: VectorizeBinding): ReadableStore {
  const call = <T>(ask: () => Promise<T>, timeoutMs = TIMEOUT_MS) =>
    callPort("vector_store", () => withTimeout(ask(), timeoutMs));
  const get = async (ids: string[], timeoutMs: number) => {
    const found = [];
    for (const batches of slices(slices(ids, GET_VECTORS_MAX), CALLS_AT_ONCE)) {
      const answers = batches.map((batch) => call(() => index.getByIds(batch), timeoutMs));
      found.push(...(await Promise.all(answers)).flat());
    }
    return found;
  };
  return {
    hasLag: true,
    async upsert(organizationId, vectors) {
      for (const batch of slices(vectors, UPSERT_VECTORS_MAX)) {
        await call(() =>
          index.upsert(
            batch.map(({ id, values, metadata, textHash }) => ({
              id,
              values,
              namespace: organizationId,
              metadata: { ...metadata, text_hash: textHash },
            })),
          ),
        );
      }
    },
    async query(organizationId, vector, filter, timeoutMs = TIMEOUT_MS) {
      const { matches } = await call(
        () =>
          index.query(vector, {
            topK: QUERY_MATCHES_MAX,
            namespace: organizationId,
            filter: filter as VectorizeVectorMetadataFilter,
            returnValues: false,
            // Not `false`, which Vectorize rejects.
            returnMetadata: "none",
          }),
        timeoutMs,
      );
      return matches.map(({ id, score }) => ({ id, score }));
    },
    async delete(ids) {
      for (const batches of slices(slices(ids, DELETE_VECTORS_MAX), CALLS_AT_ONCE))
        await Promise.all(batches.map((batch) => call(() => index.deleteByIds(batch))));
    },
    async existing(ids, timeoutMs = TIMEOUT_MS) {
      const found = await get(ids, timeoutMs);
      return new Map(found.map(({ id, metadata }) => [id, textHashOf(metadata)]));
    },
    async read(ids) {
      const found = await get(ids, TIMEOUT_MS);
      return found.map(({ id, values, metadata }) => {
        const { text_hash: _, ...others } = metadata ?? {};
        return {
          id,
          values: [...values],
          metadata: others as unknown as VectorMetadata,
          textHash: textHashOf(metadata) ?? "",
        };
      });
    },
  };
}

function textHashOf(metadata: VectorizeVector["metadata"]): string | null {
  const hash = metadata?.text_hash;
  return typeof hash === "string" ? hash : null;
}

/** Replaces a text by 128 bits of its hash, because Vectorize indexes only 64 bytes of a text. */
export async function toVectorText(text: string): Promise<string> {
  return (await sha256Hex(text)).slice(0, 32);
}

/** In place of a user in the metadata of what is shared. No hash is equal to it. */
export const SHARED_VECTORS = "shared";

export const toVectorUser = async (userId: string): Promise<string> =>
  userId === SHARED_USER ? SHARED_VECTORS : toVectorText(userId);

export const toDay = (ms: number): number => Math.floor(ms / DAY_MS);

/** The same store, whose calls have a time limit and reject with a {@link PortFailure} if they fail. */
export function guardedStore(store: VectorStore): VectorStore {
  const call = <T>(ask: () => Promise<T>, timeoutMs = TIMEOUT_MS) =>
    callPort("vector_store", () => withTimeout(ask(), timeoutMs));
  return {
    get hasLag() {
      return store.hasLag;
    },
    upsert: (organizationId, vectors) => call(() => store.upsert(organizationId, vectors)),
    query: (organizationId, vector, filter, timeoutMs) =>
      call(() => store.query(organizationId, vector, filter, timeoutMs), timeoutMs),
    delete: (ids) => call(() => store.delete(ids)),
    existing: (ids, timeoutMs) => call(() => store.existing(ids, timeoutMs), timeoutMs),
  };
}
