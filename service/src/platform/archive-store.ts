/** The bucket of archives. Keys of an archive begin with `organizations/ORGANIZATION/ARCHIVE/`. */
export type ArchiveBucket = Pick<R2Bucket, "put" | "get" | "list" | "delete">;

/** The object store of archives. */
export interface ArchiveStore {
  put(key: string, content: Uint8Array | string, type: string): Promise<void>;
  /** Null if there is no such object. */
  get(key: string): Promise<ReadableStream<Uint8Array> | null>;
  /** The first keys that begin with a prefix, at most {@link LISTED_KEYS_MAX}, after `after`, in order. */
  list(prefix: string, after?: string): Promise<string[]>;
  /** Deletes objects, at most {@link LISTED_KEYS_MAX}. Deleting one that does not exist does nothing. */
  delete(keys: string[]): Promise<void>;
}

/** R2 lists and deletes at most this number of objects in one call. */
export const LISTED_KEYS_MAX = 1_000;

export const r2Store = (bucket: ArchiveBucket): ArchiveStore => ({
  put: async (key, content, contentType) => {
    await bucket.put(key, content, { httpMetadata: { contentType } });
  },
  get: async (key) => ((await bucket.get(key))?.body as ReadableStream<Uint8Array> | undefined) ?? null,
  list: async (prefix, after) => {
    const { objects } = await bucket.list({
      prefix,
      limit: LISTED_KEYS_MAX,
      ...(after === undefined ? {} : { startAfter: after }),
    });
    return objects.map(({ key }) => key);
  },
  delete: (keys) => bucket.delete(keys),
});
