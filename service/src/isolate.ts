import type { Invocation, InvocationEnv, Isolate } from "./invocation.ts";
import { PrincipalCache } from "./keys/cache.ts";
import { SERVICE_LIMITS } from "./limits.ts";
import { Listeners } from "./live/listeners.ts";
import { cloudflareAccess } from "./platform/access.ts";
import { r2Store } from "./platform/archive-store.ts";
import { type CallInterceptor, interceptCalls } from "./platform/database-calls.ts";
import { enforceDeadlines } from "./platform/deadlines.ts";
import { workersAiEmbedder } from "./platform/embedder.ts";
import { workersAiEnricher } from "./platform/enricher.ts";
import { giveWay } from "./platform/giving-way.ts";
import { serializeLargeWrites } from "./platform/large-writes.ts";
import { toFields } from "./platform/log.ts";
import { Meter } from "./platform/meter.ts";
import { openMutexes } from "./platform/mutex.ts";
import { type FindResidence, hasJurisdiction, IN_D1, objectOf } from "./platform/objects.ts";
import { Places, routeCalls, routeVectors } from "./platform/places.ts";
import { reportEvents } from "./platform/recorded-events.ts";
import { workersAiReranker } from "./platform/reranker.ts";
import type { Runtime } from "./platform/runtime.ts";
import { StorageGuard } from "./platform/storage.ts";
import { workersAiSummarizer } from "./platform/summarizer.ts";
import { vectorizeStore } from "./platform/vectors.ts";
import { webhookSender } from "./platform/webhook-sender.ts";
import { QueryVectors } from "./search/query-vectors.ts";
import { VisibleUpserts } from "./search/visibility-lag.ts";
import { Pace } from "./text/pace.ts";
import { createStemmer } from "./text/stems.ts";
import { UsageCounts } from "./usage/counts.ts";
import { wakeWebhooks } from "./webhooks/deliveries.ts";

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
      places: new Places(),
      publishedKeys: new Map(),
      unrelatedDirections: new Map(),
      clientDocuments: new Map(),
      openIdProviders: new Map(),
      queryVectors: new QueryVectors(),
      visibleUpserts: new VisibleUpserts(),
      newestAppends: new Map(),
      stem: createStemmer(),
      enrichments: new Map(),
      memoryRuns: new Map(),
      withoutWebhooks: new Map(),
    },
  };
}

/**
 * Wraps the bindings, so that their calls are counted, calls of D1 have a time limit, writes need free storage, and an
 * isolate runs large writes to D1 one at a time. The time limit does not include the wait of a large write.
 */
export function createInvocation(
  environment: InvocationEnv,
  isBackground = false,
  meter = new Meter(() => environment.isolate.runtime.nowMs()),
): Invocation {
  const { isolate, env, log, organizationId, waitUntil } = environment;
  const { runtime, limits, usage, mutexes, caches } = isolate;
  environment.webhookBudget ??= { events: limits.webhookRunEvents, runs: limits.webhookInvocationRuns };
  const { webhookBudget } = environment;
  const ai = meter.model(env.AI);
  const waking = new Set<string>();
  const guarded = (db: D1Database, find: FindResidence, ...last: CallInterceptor[]) =>
    interceptCalls(
      db,
      ...(isBackground ? [isolate.giveWay] : []),
      serializeLargeWrites(mutexes.largeWrites, {
        charactersMax: limits.ordinaryWriteCharacters,
        isBackground,
      }),
      meter.countCall,
      isolate.storage.guardCalls(env.STORAGE, () => runtime.nowMs()),
      enforceDeadlines(limits),
      reportEvents((organizationIds) => wakeAll(organizationIds, find)),
      ...last,
    );
  const wakeAll = (organizationIds: string[], find: FindResidence) => {
    for (const id of organizationIds)
      waitUntil(isolate.listeners.wake(env.HUB, id, { find, nowMs: runtime.nowMs(), waking }));
    // In an invocation of its own: what it costs is not a cost of the request.
    waitUntil(wakeWebhooks(createInvocation(environment, true), organizationIds));
  };
  const { CELLS: cells, DIRECTORY: directoryOfCell, CELL_VECTORS: vectorsOfCell, ...others } = env;
  const d1 = directoryOfCell ?? env.DB;
  // Organizations that have their events in D1 are in it.
  const directory = guarded(d1, () => IN_D1);
  const residenceOf = (id: string) =>
    cells === undefined ? IN_D1 : caches.places.find(directory, id, runtime.nowMs());
  const isRouted = cells !== undefined && organizationId !== undefined && directoryOfCell === undefined;
  const shared = vectorizeStore(meter.index(env.VECTORIZE));
  const service: Invocation = {
    requestId: isBackground ? null : (environment.requestId ?? null),
    db: isRouted
      ? guarded(d1, residenceOf, routeCalls(cells, organizationId, { find: residenceOf, runtime }))
      : directoryOfCell === undefined
        ? directory
        : guarded(env.DB, residenceOf),
    directory,
    at: (id) =>
      cells === undefined || id === organizationId
        ? service
        : createInvocation(
            { ...environment, env: { ...others, CELLS: cells, DB: d1 }, organizationId: id },
            isBackground,
            meter,
          ),
    residenceOf,
    placeOf: async (id) => (await residenceOf(id)).place,
    cellOf: async (id) => {
      const residence = await residenceOf(id);
      return cells === undefined || residence.place === "d1" ? null : objectOf(cells, id, residence);
    },
    hasJurisdiction: (jurisdiction) => cells !== undefined && hasJurisdiction(cells, jurisdiction),
    continueMove: async (id) => cells && objectOf(cells, id, await residenceOf(id)).move(),
    defaultPlace: cells === undefined ? undefined : env.DEFAULT_PLACE === "cell" ? "cell" : "d1",
    embedder: workersAiEmbedder(ai, env.EMBEDDING_MODEL, Number(env.EMBEDDING_DIMENSIONS)),
    reranker: workersAiReranker(ai, env.RERANK_MODEL),
    enricher: env.ENRICHMENT_MODEL === "" ? null : workersAiEnricher(ai, env.ENRICHMENT_MODEL),
    summarizer: env.SUMMARY_MODEL ? workersAiSummarizer(ai, env.SUMMARY_MODEL) : null,
    vectors:
      vectorsOfCell ??
      (isRouted ? routeVectors(cells, organizationId, { shared, find: residenceOf }) : shared),
    archives: env.ARCHIVES === undefined ? null : r2Store(env.ARCHIVES),
    indexQuietMs: Math.round(1_000 * Number(env.INDEX_QUIET_SECONDS ?? 0)),
    indexFirstAtOnce: env.INDEX_FIRST_AT_ONCE === "true",
    access: cloudflareAccess(env, caches.publishedKeys),
    runtime,
    limits,
    mutexes,
    pace: new Pace(limits.sliceCharacters, mutexes.computation, isBackground),
    log,
    meter,
    usage,
    caches,
    listeners: isolate.listeners,
    openWaker: (organizationId, reader) =>
      isolate.listeners.openWaker(env.HUB, { organizationId, find: residenceOf, reader, runtime }),
    webhooks: webhookSender(env.WEBHOOKS),
    webhookHosts: env.WEBHOOK_HOSTS ?? "",
    adminToken: env.ADMIN_TOKEN ?? "",
    wakeListeners: (organizationIds) => wakeAll(organizationIds, residenceOf),
    webhookBudget,
    invokeDeliver: environment.invokeDeliver,
    waitUntil,
    defer: (event, work) => waitUntil(runLogged(environment, event, work)),
  };
  return service;
}

/** Runs the work and logs its cost. If the work fails, also logs the error and resolves to undefined. */
export async function runLogged<T>(
  environment: InvocationEnv,
  event: string,
  work: (invocation: Invocation) => Promise<T>,
): Promise<T | undefined> {
  const { log } = environment;
  const { runtime } = environment.isolate;
  const invocation = createInvocation(environment, true);
  const startMs = runtime.nowMs();
  try {
    return await work(invocation);
  } catch (error) {
    log.error(`${event} failed`, error);
    return undefined;
  } finally {
    log.info(event, toFields(invocation.meter, runtime.nowMs() - startMs));
  }
}
