import { PrincipalCache } from "./keys/cache.ts";
import { SERVICE_LIMITS, type ServiceLimits } from "./limits.ts";
import type { PublishedKeys } from "./platform/access.ts";
import type { Runtime } from "./platform/runtime.ts";
import { type IsolateTurns, openTurns } from "./text/pace.ts";
import { createStemmer, type Stem } from "./text/stems.ts";
import { UsageCounts } from "./usage/counts.ts";

/** State that all requests and background runs in one isolate (running copy of the Worker) share. */
export interface Isolate {
  runtime: Runtime;
  limits: ServiceLimits;
  /** Usage per key that is not written yet. */
  usage: UsageCounts;
  turns: IsolateTurns;
  caches: IsolateCaches;
}

/** Caches. Without them every result is the same, but takes longer. */
export interface IsolateCaches {
  principals: PrincipalCache;
  /** Public keys that verify the JWTs of Cloudflare Access, by the URL of the issuer. */
  publishedKeys: Map<string, PublishedKeys>;
  /**
   * For each embedding model, the mean cosine similarity of unrelated sentences. The relevance of search results is
   * measured from this value.
   */
  unrelatedCosines: Map<string, number>;
  stem: Stem;
}

export function openIsolate(runtime: Runtime, limits = SERVICE_LIMITS): Isolate {
  return {
    runtime,
    limits,
    usage: new UsageCounts(),
    turns: openTurns(runtime),
    caches: {
      principals: new PrincipalCache(),
      publishedKeys: new Map(),
      unrelatedCosines: new Map(),
      stem: createStemmer(),
    },
  };
}
