import type { Env, ServiceContext } from "../../service/src/context.ts";
import type { ServiceLimits } from "../../service/src/limits.ts";
import type { Apart } from "../../service/src/services/sweep.ts";
import { Clock } from "./clock.ts";
import { Invocation, type Surroundings } from "./invocation.ts";
import { type IsolateFactory, loadService, type Service } from "./isolate.ts";
import { aiBinding, EMBEDDING_MODEL, RERANK_MODEL } from "./ports/ai.ts";
import { d1Binding } from "./ports/d1.ts";
import { Database, type Rewrite } from "./ports/database.ts";
import { DIMENSIONS, EmbeddedTexts } from "./ports/model.ts";
import { TEXT_MODEL, TextModel } from "./ports/text-model.ts";
import { VectorIndex } from "./ports/vector-index.ts";
import { vectorizeBinding } from "./ports/vectorize.ts";
import { Random } from "./random.ts";
import { Trace } from "./trace.ts";
import { Violation } from "./violation.ts";
import { Weather } from "./weather.ts";

export const ADMIN_TOKEN = "engram_admin_sim";
const START_MS = Date.parse("2026-01-01T00:00:00Z");
const ISOLATES = 3;
/** How long Cloudflare lets work behind an answer go on, and a cron. */
const BEHIND_ANSWER_MS = 30_000;
const CRON_MS = 900_000;
/** How long a client waits for an answer. */
const PATIENCE_MS = 60_000;
const ISOLATE_CHECK_MS = 15_000;
const UNLIMITED = { limit: async () => ({ success: true }) };
/** Steps so small that a run takes several: a run has no thousand conversations. */
const limitsOf = ({ SERVICE_LIMITS }: Service): ServiceLimits => ({
  ...SERVICE_LIMITS,
  filteredConversations: 3,
  scannedConversations: 5,
  hideStepConversations: 1,
  hideSweepConversations: 3,
  // Two lines or three.
  importBatchBytes: 1_000,
  sliceCharacters: 500,
});
/** Effects from one look at the whole database to the next. */
const LOOK_EFFECTS = 40;

/** A request as it goes over the network. */
export interface Sent {
  /** What the trace calls it. */
  name: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: unknown;
  /** A body of lines of JSON instead. */
  lines?: unknown[];
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Whether a model was asked for anything before it came. */
  hasAskedModel: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: what is wrong in it is what a run looks for
  body: any;
}

/** What came back; no answer says nothing of what became of the request. */
export interface Delivery {
  answer: Answer | null;
  /** Whether the request was delivered once more, or will be. */
  isRepeated: boolean;
}

interface Isolate {
  service: Service;
  app: ReturnType<Service["createApp"]>;
  usage: InstanceType<Service["UsageCounts"]>;
  turns: InstanceType<Service["Turns"]>;
  invocations: Set<Invocation>;
}

/** The service, everything that it stands on, and the network before it: one run's, all driven by one seed. */
export class World implements Surroundings {
  readonly random: Random;
  readonly clock: Clock;
  readonly trace = new Trace();
  readonly weather: Weather;
  readonly database: Database;
  readonly index = new VectorIndex();
  readonly texts = new EmbeddedTexts();
  readonly textModel = new TextModel();
  /** Looks at what is committed, now and then. */
  look: () => void = () => {};
  #failure: unknown;
  #invocations = 0;
  #effects = 0;
  readonly #createIsolate: () => Isolate;
  readonly #isolates: Isolate[];

  private constructor(seed: number, createService: IsolateFactory, rewrite: Rewrite | undefined) {
    this.random = new Random(seed);
    this.clock = new Clock(this.random, START_MS);
    this.weather = new Weather(this.random);
    this.database = new Database(rewrite);
    this.#createIsolate = () => {
      const service = createService(this.clock, (line) => this.note(`log ${line}`));
      const usage = new service.UsageCounts();
      const turns = new service.Turns(this.#runtime);
      return {
        service,
        app: service.createApp(this.#runtime, usage, limitsOf(service), turns),
        usage,
        turns,
        invocations: new Set(),
      };
    };
    this.#isolates = Array.from({ length: ISOLATES }, this.#createIsolate);
  }

  static async open(seed: number, rewrite?: Rewrite): Promise<World> {
    return new World(seed, await loadService(), rewrite);
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

  /** A line of the trace, at the seconds since the run began. */
  note(line: string, detail?: string): void {
    this.trace.note(this.clock.nowMs() - START_MS, line, detail);
  }

  onEffect(): void {
    this.#effects += 1;
    if (this.#effects % LOOK_EFFECTS === 0) this.#guard(this.look);
  }

  /** Start something that goes on by itself; when it fails the run ends with it. */
  start(work: () => Promise<void>): Promise<void> {
    return work().catch((error: unknown) => this.#fail(error));
  }

  /** Let happen what is to happen, one event at a time, until something is so. */
  async runUntil(isDone: () => boolean): Promise<void> {
    await settle();
    while (this.#failure === undefined && !isDone()) {
      if (!this.clock.advance()) throw new Error("nothing is left to happen");
      await settle();
    }
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** The cron, at times twice, whether or not the one before is through. */
  startCron(periodMs: number, isOver: () => boolean): void {
    this.clock.schedule(periodMs, () => {
      if (isOver()) return;
      void this.sweep();
      if (this.random.chance(0.2)) void this.sweep();
      this.startCron(periodMs, isOver);
    });
  }

  /** Isolates end now and then, as Cloudflare evicts them. */
  startEvictions(isOver: () => boolean): void {
    this.clock.schedule(ISOLATE_CHECK_MS, () => {
      if (isOver()) return;
      if (this.weather.strikes("worker", this.clock.nowMs())) {
        const place = this.random.between(0, ISOLATES - 1);
        for (const invocation of this.#isolates[place]?.invocations ?? []) invocation.die("evicted");
        this.#isolates[place] = this.#createIsolate();
      }
      this.startEvictions(isOver);
    });
  }

  /** Send a request over the network, which may lose it or its answer, or deliver it again some time. */
  async send(request: Sent, isRepeatable: boolean): Promise<Delivery> {
    const { clock, random, weather } = this;
    const way = () => random.between(1, 20);
    if (weather.strikes("network", clock.nowMs(), 0.3)) {
      this.note(`${request.name} is lost`);
      await clock.sleep(random.between(1, PATIENCE_MS));
      return { answer: null, isRepeated: false };
    }
    const isRepeated = isRepeatable && weather.strikes("network", clock.nowMs(), 0.5);
    if (isRepeated) {
      clock.schedule(random.between(1, 20_000), () => void this.start(() => this.#serveUnheard(request)));
    }
    await clock.sleep(way());
    const answer = await this.#serve(request);
    await clock.sleep(way());
    if (answer !== null && weather.strikes("network", clock.nowMs(), 0.5)) {
      this.note(`the answer to ${request.name} is lost`);
      await clock.sleep(random.between(1, PATIENCE_MS));
      return { answer: null, isRepeated };
    }
    return { answer, isRepeated };
  }

  /** One run of the cron; resolves when it is done or dead. */
  async sweep(): Promise<void> {
    await this.#run("cron", ({ sweep }, ctx) => sweep(ctx, this.#apart)).catch(() => {});
  }

  readonly #apart: Apart = {
    index: async (due) => (await this.#run("index", ({ indexShare }, ctx) => indexShare(ctx, due))) ?? true,
    enrich: async () => (await this.#run("enrich", ({ enrichDue }, ctx) => enrichDue(ctx))) ?? false,
  };

  /** An invocation that answers no request. @throws {Error} when it dies. */
  #run<T>(name: string, work: (service: Service, ctx: ServiceContext) => Promise<T>): Promise<T | undefined> {
    const isolate = this.random.pick(this.#isolates);
    return new Promise((resolve, reject) => {
      const invocation = this.#open(isolate, name, () => reject(new Error("The Worker is gone")));
      const limit = this.clock.schedule(CRON_MS, () => invocation.die("15 minutes are over"));
      const deferred: Promise<unknown>[] = [];
      const surroundings = {
        env: this.#env(invocation),
        runtime: this.#runtime,
        limits: limitsOf(isolate.service),
        usage: isolate.usage,
        turns: isolate.turns,
        log: logTo(invocation),
        waitUntil: (work: Promise<unknown>) => deferred.push(work),
      };
      void this.start(async () => {
        const result = await isolate.service.runLogged(surroundings, name, (ctx) =>
          work(isolate.service, ctx),
        );
        limit.isOff = true;
        this.#close(isolate, invocation);
        resolve(result);
      });
    });
  }

  async #serveUnheard(request: Sent): Promise<void> {
    await this.#serve({ ...request, name: `${request.name} again` });
  }

  #serve(request: Sent): Promise<Answer | null> {
    const isolate = this.random.pick(this.#isolates);
    return new Promise((resolve) => {
      const hangUp = () => this.clock.schedule(this.random.between(1, 2_000), () => resolve(null));
      const invocation = this.#open(isolate, request.name, hangUp);
      const impatience = this.clock.schedule(PATIENCE_MS, () => resolve(null));
      void this.start(async () => {
        const deferred: Promise<unknown>[] = [];
        const response = await this.#fetch(isolate, invocation, request, deferred);
        const text = await response.text();
        if (invocation.isDead) return;
        impatience.isOff = true;
        invocation.note(`answers ${response.status}`, text);
        const { status, headers } = response;
        resolve({ status, headers, hasAskedModel: invocation.hasCalled("ai"), body: JSON.parse(text) });
        const limit = this.clock.schedule(BEHIND_ANSWER_MS, () => invocation.die("30 seconds are over"));
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
    const { method, headers, body, lines } = request;
    const type = lines === undefined ? "application/json" : "application/x-ndjson";
    const text = lines?.map((line) => `${JSON.stringify(line)}\n`).join("") ?? JSON.stringify(body);
    return isolate.app.fetch(
      new Request(`https://engram.sim${request.path}`, {
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
      AI: aiBinding(this, invocation, this),
      VECTORIZE: vectorizeBinding(this, invocation, this.index),
      ASSETS: {} as Fetcher,
      EMBEDDING_MODEL,
      EMBEDDING_DIMENSIONS: String(DIMENSIONS),
      RERANK_MODEL,
      ENRICHMENT_MODEL: this.textModel.isConfigured ? TEXT_MODEL : "",
      ADMIN_TOKEN,
      KEY_RATE_LIMIT: UNLIMITED,
      ORGANIZATION_RATE_LIMIT: UNLIMITED,
      RATE_LIMIT_POLICY: "",
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

/** The service's log, as lines of the trace. */
const logTo = (invocation: Invocation) => ({
  info: () => {},
  error: (event: string, error: unknown) => invocation.note(`${event}: ${String(error).slice(0, 200)}`),
});

/** Let all code go on that can: nothing in it waits for a thread or a real clock. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
