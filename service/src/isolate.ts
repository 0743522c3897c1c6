import { PrincipalCache } from "./keys/cache.ts";
import { SERVICE_LIMITS, type ServiceLimits } from "./limits.ts";
import type { PublishedKeys } from "./platform/access.ts";
import type { Runtime } from "./platform/runtime.ts";
import { type IsolateTurns, openTurns } from "./text/pace.ts";
import { createStemmer, type Stem } from "./text/stems.ts";
import { UsageCounts } from "./usage/counts.ts";

/** Shared by all requests and background runs in one isolate (running copy of the Worker). */
export interface Isolate {
  runtime: Runtime;
  limits: ServiceLimits;
  /** Not written to D1 yet. */
  usage: UsageCounts;
  turns: IsolateTurns;
  caches: IsolateCaches;
}

/** Without the caches every result is the same, but takes longer. */
export interface IsolateCaches {
  principals: PrincipalCache;
  /** For the JWTs of Cloudflare Access, by the URL of the issuer. */
  publishedKeys: Map<string, PublishedKeys>;
  /** For each embedding model. The relevance of search results is measured from this value. */
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
