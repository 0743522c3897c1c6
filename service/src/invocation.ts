import type { ExportLine, Jurisdiction, Place, ProblemCode } from "@engram/spec";
import type { ApiError } from "./errors.ts";
import type { DueConversation } from "./jobs/queries.ts";
import type { PrincipalCache } from "./keys/cache.ts";
import type { ServiceLimits } from "./limits.ts";
import type { HubNamespace, Listeners } from "./live/listeners.ts";
import type { WaitingReader } from "./live/subscriptions.ts";
import type { AccessIssuer, AccessVariables, PublishedKeys } from "./platform/access.ts";
import type { AiBinding } from "./platform/ai.ts";
import type { ArchiveBucket, ArchiveStore } from "./platform/archive-store.ts";
import type { CallInterceptor } from "./platform/database-calls.ts";
import type { Embedder } from "./platform/embedder.ts";
import type { Enricher } from "./platform/enricher.ts";
import type { IdempotentRequest } from "./platform/idempotency-queries.ts";
import type { Log } from "./platform/log.ts";
import type { Costs, Meter } from "./platform/meter.ts";
import type { Mutexes } from "./platform/mutex.ts";
import type { Residence } from "./platform/objects.ts";
import type { KnownProviders } from "./platform/openid.ts";
import type { OpenIdVariables } from "./platform/openid-config.ts";
import type { Cell, CellNamespace, Places } from "./platform/places.ts";
import type { Principal } from "./platform/principal.ts";
import type { RateLimitBinding } from "./platform/rate-limits.ts";
import type { Reranker } from "./platform/reranker.ts";
import type { Runtime } from "./platform/runtime.ts";
import type { StorageBinding, StorageGuard } from "./platform/storage.ts";
import type { Summarizer } from "./platform/summarizer.ts";
import type { UsagePlace } from "./platform/usage-places.ts";
import type { VectorizeBinding, VectorStore } from "./platform/vectors.ts";
import type { Waker } from "./platform/waker.ts";
import type { WebhookSender } from "./platform/webhook-sender.ts";
import type { QueryVectors } from "./search/query-vectors.ts";
import type { VisibleUpserts } from "./search/visibility-lag.ts";
import type { Pace } from "./text/pace.ts";
import type { Stem } from "./text/stems.ts";
import type { UsageCounts } from "./usage/counts.ts";
import type { UsageCount } from "./usage/queries.ts";
import type { WebhookRef } from "./webhooks/queries.ts";

export interface Env extends AccessVariables, OpenIdVariables {
  /** The D1 database; in a cell, the database of its organization. */
  DB: D1Database;
  /** In a cell, the D1 database. */
  DIRECTORY?: D1Database | undefined;
  /** In a cell, its vectors. Those for which it has no room are in the shared store. */
  CELL_VECTORS?: VectorStore | undefined;
  /** If absent, all organizations are in D1. */
  CELLS?: CellNamespace<AnsweringCell> | undefined;
  /** Where new organizations are, unless the request says it: "cell", or else in D1. */
  DEFAULT_PLACE?: string | undefined;
  AI: AiBinding;
  VECTORIZE: VectorizeBinding;
  ASSETS: Fetcher;
  /** If absent, no archives can be written. */
  ARCHIVES?: ArchiveBucket | undefined;
  EMBEDDING_MODEL: string;
  EMBEDDING_DIMENSIONS: string;
  RERANK_MODEL: string;
  /**
   * Seconds without a further append after which the last messages of a conversation are embedded. Absent or 0: at once.
   */
  INDEX_QUIET_SECONDS?: string | undefined;
  /**
   * "true": an append that follows such a pause is embedded at once, and only those that follow it wait. This costs
   * about one embedding more for each pause.
   */
  INDEX_FIRST_AT_ONCE?: string | undefined;
  /** Text model that writes tags and summaries of memories. If empty, none are written. */
  ENRICHMENT_MODEL: string;
  /** Text model that writes the summaries of conversations. If empty or absent, they are made without one. */
  SUMMARY_MODEL?: string | undefined;
  /** If absent, there are no sockets. */
  HUB?: HubNamespace | undefined;
  /** If absent, the requests of a key have no rate limit. */
  KEY_RATE_LIMIT?: RateLimitBinding | undefined;
  /** If absent, the requests of an organization have no rate limit. */
  ORGANIZATION_RATE_LIMIT?: RateLimitBinding | undefined;
  /**
   * Value of the response header `RateLimit-Policy`. The Worker cannot read the limits from the two bindings. Absent
   * without rate limits.
   */
  RATE_LIMIT_POLICY?: string | undefined;
  /**
   * Hosts that the `Host` header of a request may name, separated by commas. If empty or absent, any host is allowed.
   */
  ALLOWED_HOSTS?: string;
  /**
   * URLs at which proxies serve the service, separated by commas. The headers `X-Forwarded-…` count if they name one of
   * them. Their hosts are allowed, too.
   */
  PUBLIC_URLS?: string | undefined;
  /** Token of the operator, who creates organizations over HTTP. If absent, they cannot be created over HTTP. */
  ADMIN_TOKEN?: string;
  /**
   * Hosts that webhooks may use though they are not public, separated by commas: exact names, each with or without a port.
   */
  WEBHOOK_HOSTS?: string | undefined;
  /** Sends the requests of webhooks. If absent, the Worker sends them itself. */
  WEBHOOKS?: Pick<Fetcher, "fetch"> | undefined;
  /** Reports whether the disk of the database is nearly full. If absent, D1 has the only limit. */
  STORAGE?: StorageBinding | undefined;
  /** If absent, requests without a key, such as those that register OAuth clients, have no rate limit. */
  ADDRESS_RATE_LIMIT?: RateLimitBinding | undefined;
  /** OAuth clients of the operator as JSON, by their ids. */
  OAUTH_CLIENTS?: string | undefined;
  /** Fetches the metadata documents of OAuth clients. If absent, the Worker fetches them itself. */
  CLIENT_DOCUMENTS?: Pick<Fetcher, "fetch"> | undefined;
  /** Sends the requests to the OpenID Connect provider. If absent, the Worker sends them itself. */
  IDENTITY_PROVIDER?: Pick<Fetcher, "fetch"> | undefined;
  /** Present in requests to the API that the MCP endpoint makes. */
  MCP_CALL?: McpCall | undefined;
  /** Present in requests that the Worker has passed to a cell. */
  PASSED?: Passed | undefined;
}

/**
 * A request that the Worker passes to the cell of its organization. The Worker has authenticated it and counted it in the
 * rate limits.
 */
export interface PassedRequest {
  method: string;
  url: string;
  headers: [name: string, value: string][];
  body: string | null;
  /** Both log their lines under it. */
  requestId: string;
  /** Limited to what an MCP request is limited to. Each database call of the cell checks that its key is still valid. */
  principal: Principal;
  /** MCP tool that made the request. */
  tool: string | null;
}

/** The response of a cell, and what the Worker logs and counts of the request. */
export interface CellAnswer {
  status: number;
  headers: [name: string, value: string][];
  body: ArrayBuffer;
  problem: ProblemCode | null;
  costs: Costs;
  usage: UsageCount[];
}

/** A cell as the Worker calls it. */
export interface AnsweringCell extends Cell {
  answer(passed: PassedRequest): Promise<CellAnswer>;
  state(): Promise<CellState>;
}

/** What only the object of a cell knows. */
export interface CellState {
  sizeBytes: number;
  /** When it sweeps next; null while it sweeps. */
  sweepMs: number | null;
}

/** In the environment of a request that a cell answers. Only the Worker can call a cell. */
export interface Passed extends Pick<PassedRequest, "requestId" | "principal" | "tool"> {
  /** Counts of the request. The cell writes none, because a timer for that would keep it in memory. */
  usage: UsageCounts;
  ended(outcome: Pick<CellAnswer, "problem" | "costs">): void;
}

/** A call of an MCP tool, or another request to the API that the MCP endpoint makes. */
export interface McpCall {
  /** Null for a request of no tool, such as one that reads a resource. */
  tool: string | null;
  /** The agent and the user that the URL of the MCP request names; null for all. */
  binding: Pick<Principal, "agentId" | "userId">;
  /** URL of the service as the client of the MCP request knows it. */
  root: string;
}

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

/** A client, as the OAuth library describes it. */
export interface OAuthClient {
  clientId: string;
  clientName: string;
  redirectUris: string[];
  grantTypes: string[];
  responseTypes: string[];
  /** It has no secret, and proves itself by PKCE. */
  tokenEndpointAuthMethod: "none";
}

/** Caches of an isolate. Results are the same without them, but take longer. */
export interface IsolateCaches {
  principals: PrincipalCache;
  places: Places;
  /** Public keys that verify the JWTs of Cloudflare Access, by the URL of their issuer. */
  publishedKeys: Map<string, PublishedKeys>;
  /** Mean direction of the vectors of unrelated texts, by embedding model: see `search/ranking/relevance.ts`. */
  unrelatedDirections: Map<string, number[]>;
  /** Clients of OAuth that have described themselves in a document, by its URL. */
  clientDocuments: Map<string, { client: OAuthClient; untilMs: number }>;
  openIdProviders: KnownProviders;
  queryVectors: QueryVectors;
  visibleUpserts: VisibleUpserts;
  /** The last sequence number of the newest append in the last `indexQuietMs`, by organization and conversation. */
  newestAppends: Map<string, number>;
  stem: Stem;
  /** The run that enriches memories of an organization after a response, by organization. */
  enrichments: Map<string, EnrichmentRun>;
  /** The run that indexes memories of an organization after a response, by organization. */
  memoryRuns: Map<string, MemoryRun>;
  /** Time until which an organization counts as one without enabled webhooks, by organization. */
  withoutWebhooks: Map<string, number>;
}

export interface EnrichmentRun {
  /** From then on, another run may start: Cloudflare may have ended this one. */
  untilMs: number;
  /** Whether memories have been stored since it last claimed some. */
  isDue: boolean;
}

export interface MemoryRun {
  /** From then on, another run starts: this one has few steps left, or Cloudflare has ended it. */
  untilMs: number;
  /** Number of memories that it has taken over. More than its steps index would be left to the sweep. */
  memories: number;
  /** Writes of memories that it indexes next. `caller` counts the embeddings. */
  waiting: { caller: KeyCaller; due: DueConversation[]; contentBytes: number }[];
}

/** What a request or a background run works with: database, models, limits, log. Services take it, or a caller, first. */
export interface Invocation {
  /** Null in a background run. */
  requestId: string | null;
  /** The rows of the organization, if the work is for one that is in a cell; otherwise those of D1. */
  db: D1Database;
  /** The D1 database, which also says where organizations are. */
  directory: D1Database;
  /** The same request or run, with the database of an organization. */
  at(organizationId: string): Invocation;
  residenceOf(organizationId: string): Residence | Promise<Residence>;
  placeOf(organizationId: string): Promise<Place>;
  /** Null for an organization in D1. */
  cellOf(organizationId: string): Promise<AnsweringCell | null>;
  /** Whether cells can be in this jurisdiction. */
  hasJurisdiction(jurisdiction: Jurisdiction): boolean;
  /** Has the cell of an organization continue its move. */
  continueMove(organizationId: string): Promise<void>;
  /** Where a new organization is, unless the request says it. Undefined if the deployment has no cells. */
  defaultPlace: Place | undefined;
  embedder: Embedder;
  reranker: Reranker;
  /** Null when no text model is configured. */
  enricher: Enricher | null;
  /** Null when no text model for summaries of conversations is configured. */
  summarizer: Summarizer | null;
  vectors: VectorStore;
  /** Null when the deployment has no object store for archives. */
  archives: ArchiveStore | null;
  /** Time without a further append after which the open windows at the end of a conversation are indexed. */
  indexQuietMs: number;
  /** Whether an append after such a time is indexed at once. */
  indexFirstAtOnce: boolean;
  /** Null when Cloudflare Access is not configured. */
  access: AccessIssuer | null;
  runtime: Runtime;
  limits: ServiceLimits;
  mutexes: Mutexes;
  /** Lets other requests run during long computations. */
  pace: Pace;
  log: Log;
  meter: Meter;
  /** Counts of the use of each key by all requests of this isolate (running copy of the Worker). */
  usage: UsageCounts;
  caches: IsolateCaches;
  listeners: Listeners;
  webhooks: WebhookSender;
  /** Hosts that webhooks may use though they are not public. */
  webhookHosts: string;
  /** The secrets of webhooks are encrypted with a key that is derived from it. Empty without one. */
  adminToken: string;
  /**
   * Sends what is new of organizations to their sockets, streams and webhooks, after the response. A database call that
   * writes events does this itself.
   */
  wakeListeners(organizationIds: string[]): void;
  /** For a request that waits for changes of an organization. */
  openWaker(organizationId: string, reader?: WaitingReader): Promise<Waker>;
  /** What this invocation of the Worker may still send to webhooks, together with its work after the response. */
  webhookBudget: WebhookBudget;
  /** Absent where an invocation cannot start others: the sweep then sends what is left. */
  invokeDeliver?: InvokeDeliver | undefined;
  waitUntil(work: Promise<unknown>): void;
  /**
   * Runs work that the response does not wait for. Its log entries, named by `event`, state its cost and its error.
   */
  defer(event: string, work: (invocation: Invocation) => Promise<unknown>): void;
}

export type Caller = KeyCaller | OperatorCaller | AnonymousCaller;

export interface AnonymousCaller extends Invocation {
  kind: "anonymous";
  principal: null;
}

export interface OperatorCaller extends Invocation {
  kind: "operator";
  principal: null;
}

/** Each call of `db` also checks that the key is still valid. */
export interface KeyCaller extends Invocation {
  kind: "key";
  principal: Principal;
  /** What the usage of this request counts for. */
  place: UsagePlace;
  /**
   * Checks that the key is still valid, unless a call of `db` has.
   *
   * @throws {ApiError} `unauthenticated`.
   */
  checkKey(): Promise<void>;
  /** For work that must finish even if the key is revoked meanwhile: its `db` checks no key. */
  system: Invocation;
}

/** A line of the request body. `line` is its number, from 1. `problem` is the error of an invalid line. */
export type BodyLine = { line: number } & ({ value: ExportLine } | { problem: ApiError });

export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** Operation id from the OpenAPI document, or a name for a route that is not in it. Absent for an unknown route. */
    operation?: string;
    problem?: ProblemCode;
    /** Anonymous until the request is authorized. */
    caller: Caller;
    /** The value of a body of JSON, which can be stored without a change. Undefined without a body. */
    body?: unknown;
    /** Non-blank lines of the body, for routes that read NDJSON. */
    lines: BodyLine[];
    /** Number of lines in the body, including blank lines. */
    lineCount: number;
    /** Null without an `Idempotency-Key`. */
    idempotency: IdempotentRequest | null;
  };
}

export interface WebhookBudget {
  events: number;
  /** Claims of a webhook, each of which takes statements of its own. */
  runs: number;
}

/** Starts a separate invocation that sends due events of these webhooks. Resolves when it has started. */
export type InvokeDeliver = (due: WebhookRef[]) => Promise<void>;

/** The environment of one request or one background run. */
export interface InvocationEnv {
  isolate: Isolate;
  env: Env;
  /** Absent in a background run that no request started. */
  requestId?: string;
  log: Log;
  /** The organization that the work is for, if it is known. */
  organizationId?: string;
  invokeDeliver?: InvokeDeliver;
  /** Set by the first use of the environment. */
  webhookBudget?: WebhookBudget;
  /** Keeps the Worker alive until the promise settles. */
  waitUntil(work: Promise<unknown>): void;
}
