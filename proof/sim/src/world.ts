import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Place } from "@engram/spec";
import type { Env, Invocation as ServiceInvocation } from "../../../service/src/invocation.ts";
import type { ServiceLimits } from "../../../service/src/limits.ts";
import type { Invocations } from "../../../service/src/sweep.ts";
import { Clock } from "./clock.ts";
import { FaultSchedule } from "./faults.ts";
import { Invocation, type SimulationContext } from "./invocation.ts";
import { type IsolateFactory, loadService, type RewriteCode, type Service } from "./isolate.ts";
import { aiBinding, EMBEDDING_MODEL, RERANK_MODEL } from "./ports/ai.ts";
import { Cells } from "./ports/cells.ts";
import { d1Binding } from "./ports/d1.ts";
import { Database, type Rewrite } from "./ports/database.ts";
import { DIMENSIONS, EmbeddedTexts } from "./ports/model.ts";
import { TEXT_MODEL, TextModel } from "./ports/text-model.ts";
import { type StoredRow, VectorIndex } from "./ports/vector-index.ts";
import { vectorizeBinding } from "./ports/vectorize.ts";
import { Random } from "./random.ts";
import { Trace } from "./trace.ts";
import { Violation } from "./violation.ts";

export const ADMIN_TOKEN = "engram_admin_sim";
/** URL of the service. OAuth needs `https`. */
export const ROOT = "https://engram.sim";
const START_MS = Date.parse("2026-01-01T00:00:00Z");
const ISOLATES = 3;
/** Cloudflare's limits on work after the response and on a cron. */
const AFTER_RESPONSE_MS = 30_000;
const CRON_MS = 900_000;
/** Client timeout. */
const CLIENT_TIMEOUT_MS = 60_000;
const ISOLATE_CHECK_MS = 15_000;
/** Conversations or memories that one search compares with a filter by tags or metadata. */
export const FILTERED_MAX = 3;
/** Small steps, because a run has few conversations, and each operation should take several steps. */
const smallSteps = (limits: ServiceLimits): ServiceLimits => ({
  ...limits,
  filteredConversations: FILTERED_MAX,
  scannedConversations: 5,
  softDeleteStepConversations: 1,
  repairStepConversations: 3,
  // Two or three lines.
  importBatchBytes: 1_000,
  sliceCharacters: 500,
  // A third of the writes.
  wordsAtOnceCharacters: 150,
});
/** Effects between two checks of the whole database. */
const CHECK_EFFECTS = 40;

export interface WorldOptions {
  rewrite?: Rewrite | undefined;
  rewriteCode?: RewriteCode | undefined;
  /** Whether organizations can be in cells. Default: false. */
  hasCells?: boolean;
  /** Changes the service's limits. Default: small steps. */
  limits?: (limits: ServiceLimits) => ServiceLimits;
  /** Default: 0 or 15, by the seed. */
  indexQuietSeconds?: number;
  /** Whether to keep the trace and all embedded texts. A long run has no memory for them. Default: true. */
  keepsHistory?: boolean;
  /** Called for each error that the service logs. */
  onError?: (error: string) => void;
}

export interface Sent {
  /** Name in the trace. */
  name: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: unknown;
  /** An NDJSON body instead of `body`. */
  lines?: unknown[];
  /** The fields of a form instead of `body`. */
  form?: [name: string, value: string][];
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Whether a model was called before the response. */
  hasCalledModel: boolean;
  /** Parsed, if it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: what is wrong in it is what a run looks for
  body: any;
}

/** Result of sending a request. A missing response leaves the request's effect unknown. */
export interface Delivery {
  answer: Answer | null;
  /** Whether the request was or will be delivered again. */
  isRepeated: boolean;
}

/** The types of Workers have no constructor, as Workers cannot compile. */
const Module = WebAssembly.Module as unknown as new (bytes: Uint8Array) => WebAssembly.Module;
/** Compares vectors in cells. */
const SCAN = new Module(
  readFileSync(join(import.meta.dirname, "../../../service/src/platform/cell-vectors/scan-int8.wasm")),
);

interface Isolate {
  service: Service;
  app: ReturnType<Service["createApp"]>;
  shared: ReturnType<Service["openIsolate"]>;
  invocations: Set<Invocation>;
}

/** The service, its dependencies and the network of one run, all driven by one seed. */
export class World implements SimulationContext {
  readonly random: Random;
  readonly clock: Clock;
  readonly trace: Trace;
  readonly faults: FaultSchedule;
  /** D1. */
  readonly database: Database;
  /** Null if all organizations are in D1. */
  readonly cells: Cells | null;
  readonly index = new VectorIndex();
  readonly texts: EmbeddedTexts;
  readonly textModel = new TextModel();
  /** Checks committed data from time to time. */
  check: () => void = () => {};
  #failure: unknown;
  #invocations = 0;
  #effects = 0;
  readonly #createIsolate: () => Isolate;
  readonly #isolates: Isolate[];

  readonly #indexQuietSeconds: number;
  readonly #indexFirstAtOnce: boolean;
  readonly #onError: (error: string) => void;

  private constructor(seed: number, createService: IsolateFactory, options: WorldOptions) {
    const { rewrite, limits = smallSteps, indexQuietSeconds, keepsHistory = true } = options;
    this.random = new Random(seed);
    this.trace = new Trace(keepsHistory);
    this.texts = new EmbeddedTexts(keepsHistory);
    this.#onError = options.onError ?? (() => {});
    // All ways of indexing: at once, when a conversation is quiet, and both, as on one machine.
    this.#indexQuietSeconds = indexQuietSeconds ?? (seed % 2 === 0 ? 15 : 0);
    this.#indexFirstAtOnce = indexQuietSeconds === undefined && seed % 4 === 2;
    this.clock = new Clock(this.random, START_MS);
    this.faults = new FaultSchedule(this.random);
    this.database = Database.migrated(rewrite);
    this.cells = options.hasCells === true ? this.#createCells(rewrite) : null;
    this.#createIsolate = () => {
      const service = createService(this.clock, this.random, (line) => {
        this.note(`log ${line}`);
        this.#onError(line);
      });
      const shared = service.openIsolate(this.#runtime, limits(service.SERVICE_LIMITS));
      return {
        service,
        app: service.createApp(shared),
        shared,
        invocations: new Set(),
      };
    };
    this.#isolates = Array.from({ length: ISOLATES }, this.#createIsolate);
  }

  static async open(seed: number, options: WorldOptions = {}): Promise<World> {
    return new World(seed, await loadService(options.rewriteCode), options);
  }

  readonly #runtime = {
    nowMs: () => this.clock.nowMs(),
    after: async (delayMs: number, work: () => Promise<void>) => {
      await this.clock.sleep(delayMs);
      await work();
    },
    pause: (ms: number) => this.clock.sleep(ms),
    randomBytes: (length: number) => this.random.bytes(length),
  };

  #createCells(rewrite: Rewrite = (sql) => sql): Cells {
    return new Cells(this, rewrite, (name, onDeath, construct) => {
      const isolate = this.random.pick(this.#isolates);
      const { OrganizationCell, background } = isolate.service;
      const invocation = this.#open(isolate, name, onDeath);
      const state = construct(invocation);
      const parts = { isolate: isolate.shared, fetch: isolate.app.fetch, background, scan: SCAN };
      const cell = new OrganizationCell(state, this.#env(invocation), parts);
      return { invocation, cell };
    });
  }

  /** D1 and the databases of all cells. */
  get databases(): Database[] {
    return [this.database, ...(this.cells?.databases() ?? []).map(([, database]) => database)];
  }

  /** All vectors, in the index and in the cells. After a move, both can have one with the same id. */
  storedVectors(): StoredRow[] {
    const inCells = this.cells?.databases() ?? [];
    return [
      ...this.index.visible(this.clock.nowMs()).values(),
      ...inCells.flatMap(([id, database]) => vectorsOfCell(id, database)),
    ];
  }

  /** The vectors that queries of an organization see, by id. A cell looks into the index only while it has some there. */
  searchedVectors(organizationId: string): ReadonlyMap<string, StoredRow> {
    const inIndex = [...this.index.visible(this.clock.nowMs()).values()];
    const shared = new Map(
      inIndex.filter(({ namespace }) => namespace === organizationId).map((row) => [row.id, row]),
    );
    const database = this.databaseOf(organizationId);
    if (database === this.database) return shared;
    const looksIntoIndex = database.select("SELECT 1 FROM shared_vectors LIMIT 1").length > 0;
    const own = vectorsOfCell(organizationId, database).map((row) => [row.id, row] as const);
    return new Map([...(looksIntoIndex ? shared : []), ...own]);
  }

  /** Where D1 says that an organization is; null if it does not list it. */
  placeOf(organizationId: string): Place | null {
    const [listed] = this.database.select<{ place: Place }>(
      "SELECT coalesce(place, 'd1') AS place FROM organizations WHERE id = ?1",
      organizationId,
    );
    return listed?.place ?? null;
  }

  /** The database with the rows of an organization. Its cell has some before it moves there, and after it has left. */
  databaseOf(organizationId: string): Database {
    const own = this.cells?.databaseOf(organizationId) ?? null;
    return own === null || this.placeOf(organizationId) === "d1" ? this.database : own;
  }

  close(): void {
    this.database.close();
    this.cells?.close();
  }

  /** A trace line with the seconds since the start of the run. */
  note(line: string, detail?: string): void {
    this.trace.note(this.clock.nowMs() - START_MS, line, detail);
  }

  onEffect(): void {
    this.#effects += 1;
    if (this.#effects % CHECK_EFFECTS === 0) this.#guard(this.check);
  }

  /** Start work in the background. Its failure ends the run. */
  start(work: () => Promise<void>): Promise<void> {
    return work().catch((error: unknown) => this.#fail(error));
  }

  /** Run events one at a time until `isDone` returns true. */
  async runUntil(isDone: () => boolean): Promise<void> {
    await settle();
    while (this.#failure === undefined && !isDone()) {
      if (!this.clock.advance()) throw new Error("nothing is left to happen");
      await settle();
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Fires the cron, sometimes twice, even while the previous run continues. */
  startCron(periodMs: number, isOver: () => boolean): void {
    this.clock.schedule(periodMs, () => {
      if (isOver()) return;
      void this.sweep();
      if (this.random.chance(0.2)) void this.sweep();
      this.startCron(periodMs, isOver);
    });
  }

  /** Replaces isolates from time to time, as Cloudflare evicts them. */
  startEvictions(isOver: () => boolean): void {
    this.clock.schedule(ISOLATE_CHECK_MS, () => {
      if (isOver()) return;
      if (this.faults.occurs("worker", this.clock.nowMs())) {
        const place = this.random.between(0, ISOLATES - 1);
        for (const invocation of this.#isolates[place]?.invocations ?? []) invocation.die("evicted");
        this.#isolates[place] = this.#createIsolate();
      }
      this.startEvictions(isOver);
    });
  }

  /**
   * Send a request over the network, which may lose the request or its response, or deliver it again later.
   */
  async send(request: Sent, isRepeatable: boolean): Promise<Delivery> {
    const { clock, random, faults } = this;
    const way = () => random.between(1, 20);
    if (faults.occurs("network", clock.nowMs(), 0.3)) {
      this.note(`${request.name} is lost`);
      await clock.sleep(random.between(1, CLIENT_TIMEOUT_MS));
      return { answer: null, isRepeated: false };
    }
    const isRepeated = isRepeatable && faults.occurs("network", clock.nowMs(), 0.5);
    if (isRepeated) {
      clock.schedule(random.between(1, 20_000), () => void this.start(() => this.#serveDuplicate(request)));
    }
    await clock.sleep(way());
    const answer = await this.#serve(request);
    await clock.sleep(way());
    if (answer !== null && faults.occurs("network", clock.nowMs(), 0.5)) {
      this.note(`the answer to ${request.name} is lost`);
      await clock.sleep(random.between(1, CLIENT_TIMEOUT_MS));
      return { answer: null, isRepeated };
    }
    return { answer, isRepeated };
  }

  /** One cron run; resolves when it is done or dead. */
  async sweep(): Promise<void> {
    await this.#run("cron", ({ sweep }, invocation) => sweep(invocation, this.#backgroundInvocations)).catch(
      () => {},
    );
  }

  /** The periodic work of an organization: a cron run, or the alarm of its cell, if one is planned. */
  sweepOf(organizationId: string): void {
    if (this.databaseOf(organizationId) === this.database) void this.sweep();
    else this.cells?.hasten(organizationId);
  }

  readonly #backgroundInvocations: Invocations = {
    index: async (due) =>
      (await this.#run("index", ({ indexShare }, invocation) => indexShare(invocation, due))) ?? true,
    enrich: async () =>
      (await this.#run("enrich", ({ enrichDue }, invocation) => enrichDue(invocation))) ?? false,
    summarize: async () =>
      (await this.#run("summarize", ({ summarizeDue }, invocation) => summarizeDue(invocation))) ?? false,
    archive: async () =>
      (await this.#run("archive", ({ archiveApart }, invocation) => archiveApart(invocation))) ?? false,
    purge: async () =>
      (await this.#run("purge", ({ deleteApart }, invocation) => deleteApart(invocation))) ?? false,
    // The simulator has no receivers.
    deliver: async () => {},
  };

  /** An invocation without a request. @throws {Error} When it dies. */
  #run<T>(
    name: string,
    work: (service: Service, invocation: ServiceInvocation) => Promise<T>,
  ): Promise<T | undefined> {
    const isolate = this.random.pick(this.#isolates);
    return new Promise((resolve, reject) => {
      const invocation = this.#open(isolate, name, () => reject(new Error("The Worker is gone")));
      const limit = this.clock.schedule(CRON_MS, () => invocation.die("15 minutes are over"));
      const deferred: Promise<unknown>[] = [];
      const surroundings = {
        isolate: isolate.shared,
        env: this.#env(invocation),
        log: this.#logTo(invocation),
        waitUntil: (work: Promise<unknown>) => deferred.push(work),
      };
      void this.start(async () => {
        const result = await isolate.service.runLogged(surroundings, name, (invocation) =>
          work(isolate.service, invocation),
        );
        limit.isOff = true;
        this.#close(isolate, invocation);
        resolve(result);
      });
    });
  }

  async #serveDuplicate(request: Sent): Promise<void> {
    await this.#serve({ ...request, name: `${request.name} again` });
  }

  #serve(request: Sent): Promise<Answer | null> {
    const isolate = this.random.pick(this.#isolates);
    return new Promise((resolve) => {
      const hangUp = () => this.clock.schedule(this.random.between(1, 2_000), () => resolve(null));
      const invocation = this.#open(isolate, request.name, hangUp);
      const clientTimeout = this.clock.schedule(CLIENT_TIMEOUT_MS, () => resolve(null));
      void this.start(async () => {
        const deferred: Promise<unknown>[] = [];
        const response = await this.#fetch(isolate, invocation, request, deferred);
        const text = await response.text();
        if (invocation.isDead) return;
        clientTimeout.isOff = true;
        invocation.note(`answers ${response.status}`, text);
        const { status, headers } = response;
        const isJson = headers.get("content-type")?.includes("json") === true;
        const body = isJson ? JSON.parse(text) : text;
        resolve({ status, headers, hasCalledModel: invocation.hasCalled("ai"), body });
        const limit = this.clock.schedule(AFTER_RESPONSE_MS, () => invocation.die("30 seconds are over"));
        await Promise.allSettled(deferred);
        limit.isOff = true;
        this.#close(isolate, invocation);
      });
    });
  }

  async #fetch(isolate: Isolate, invocation: Invocation, request: Sent, deferred: Promise<unknown>[]) {
    const context = {
      waitUntil: (work: Promise<unknown>) => deferred.push(work),
      passThroughOnException: () => {},
      props: {},
    };
    const { method, headers } = request;
    const [type, text] = contentOf(request);
    return isolate.app.fetch(
      new Request(`${ROOT}${request.path}`, {
        method,
        headers: { ...(text === undefined ? {} : { "content-type": type }), ...headers },
        ...(text === undefined ? {} : { body: text }),
      }),
      this.#env(invocation),
      context as unknown as ExecutionContext,
    );
  }

  #env(invocation: Invocation): Env {
    return {
      DB: d1Binding(invocation, this.database),
      CELLS: this.cells?.binding(invocation),
      AI: aiBinding(this, invocation, this),
      VECTORIZE: vectorizeBinding(this, invocation, this.index),
      ASSETS: {} as Fetcher,
      EMBEDDING_MODEL,
      EMBEDDING_DIMENSIONS: String(DIMENSIONS),
      INDEX_QUIET_SECONDS: String(this.#indexQuietSeconds),
      INDEX_FIRST_AT_ONCE: String(this.#indexFirstAtOnce),
      RERANK_MODEL,
      ENRICHMENT_MODEL: this.textModel.isConfigured ? TEXT_MODEL : "",
      ADMIN_TOKEN,
    };
  }

  /** The service's errors as lines of the trace. */
  #logTo(invocation: Invocation) {
    return {
      info: () => {},
      error: (event: string, error: unknown) => {
        const line = `${event}: ${String(error).slice(0, 200)}`;
        invocation.note(line);
        this.#onError(line);
      },
    };
  }

  #open(isolate: Isolate, name: string, onDeath: () => void): Invocation {
    this.#invocations += 1;
    const invocation = new Invocation(this, `#${this.#invocations} ${name}`, () => {
      isolate.invocations.delete(invocation);
      onDeath();
    });
    isolate.invocations.add(invocation);
    invocation.note("begins");
    return invocation;
  }

  #close(isolate: Isolate, invocation: Invocation): void {
    if (invocation.isDead) return;
    isolate.invocations.delete(invocation);
    invocation.note("ends");
  }

  #guard(check: () => void): void {
    try {
      check();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#failure === undefined || !(this.#failure instanceof Violation)) this.#failure = error;
  }
}

function vectorsOfCell(organizationId: string, database: Database): StoredRow[] {
  const stored = database.select<{ id: string; metadata: string; vector: Uint8Array }>(
    "SELECT id, metadata, vector FROM cell_vectors JOIN cell_vector_values USING (number)",
  );
  return stored.map(({ id, metadata, vector }) => {
    const values = new Float32Array(Uint8Array.from(vector).buffer);
    return { id, namespace: organizationId, values, metadata, indexed: metadata };
  });
}

function contentOf({ body, lines, form }: Sent): [type: string, text: string | undefined] {
  if (form !== undefined) return ["application/x-www-form-urlencoded", new URLSearchParams(form).toString()];
  if (lines !== undefined)
    return ["application/x-ndjson", lines.map((line) => `${JSON.stringify(line)}\n`).join("")];
  return ["application/json", JSON.stringify(body)];
}

/** Run all code that can continue. It waits for no thread and no real clock. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
