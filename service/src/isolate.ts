import { PrincipalCache } from "./keys/cache.ts";
import { SERVICE_LIMITS, type ServiceLimits } from "./limits.ts";
import { Listeners } from "./live/listeners.ts";
import type { PublishedKeys } from "./platform/access.ts";
import type { CallInterceptor } from "./platform/database-calls.ts";
import { giveWay } from "./platform/giving-way.ts";
import { type Mutexes, openMutexes } from "./platform/mutex.ts";
import type { Runtime } from "./platform/runtime.ts";
import { StorageGuard } from "./platform/storage.ts";
import { QueryVectors } from "./search/query-vectors.ts";
import { VisibleUpserts } from "./search/visibility-lag.ts";
import { createStemmer, type Stem } from "./text/stems.ts";
import { UsageCounts } from "./usage/counts.ts";

/** Shared by all requests and background runs in one isolate (running copy of the Worker). */
export interface Isolate {
  runtime: Runtime;
  limits: ServiceLimits;
  /** Counts of the use of each key that are not written to D1 yet. */
  usage: UsageCounts;
  mutexes: Mutexes;
  caches: IsolateCaches;
  listeners: Listeners;
  storage: StorageGuard;
  /** For the database calls of background work. */
  giveWay: CallInterceptor;
}

/** Caches of an isolate. Results are the same without them, but take longer. */
export interface IsolateCaches {
  principals: PrincipalCache;
  /** Public keys that verify the JWTs of Cloudflare Access, by the URL of their issuer. */
  publishedKeys: Map<string, PublishedKeys>;
  /** Mean direction of the vectors of unrelated texts, by embedding model: see `search/ranking/relevance.ts`. */
  unrelatedDirections: Map<string, number[]>;
  queryVectors: QueryVectors;
  visibleUpserts: VisibleUpserts;
  /** The last sequence number of the newest append, by organization and conversation, until its end is indexed. */
  newestAppends: Map<string, number>;
  stem: Stem;
  /** The run that enriches memories of an organization after a response, by organization. */
  enrichments: Map<string, EnrichmentRun>;
  /** Time until which an organization counts as one without enabled webhooks, by organization. */
  withoutWebhooks: Map<string, number>;
}

export interface EnrichmentRun {
  /** From then on, another run may start: Cloudflare may have ended this one. */
  untilMs: number;
  /** Whether memories have been stored since it last claimed some. */
  isDue: boolean;
}

export function openIsolate(runtime: Runtime, limits = SERVICE_LIMITS): Isolate {
  return {
    runtime,
    limits,
    usage: new UsageCounts(),
    mutexes: openMutexes(runtime),
    listeners: new Listeners(),
    storage: new StorageGuard(),
    giveWay: giveWay(runtime),
    caches: {
      principals: new PrincipalCache(),
      publishedKeys: new Map(),
      unrelatedDirections: new Map(),
      queryVectors: new QueryVectors(),
      visibleUpserts: new VisibleUpserts(),
      newestAppends: new Map(),
      stem: createStemmer(),
      enrichments: new Map(),
      withoutWebhooks: new Map(),
    },
  };
}
