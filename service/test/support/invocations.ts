import { runInDurableObject } from "cloudflare:test";
import * as contracts from "@engram/spec";
import type { RouteConfig } from "@hono/zod-openapi";
import { createApp } from "../../src/app.ts";
import { cellWork } from "../../src/cell-queries.ts";
import { enrichDue } from "../../src/enrichment/service.ts";
import { indexShare } from "../../src/indexing/sweep.ts";
import type { Env, Invocation, InvokeDeliver, Isolate } from "../../src/invocation.ts";
import { createInvocation, openIsolate } from "../../src/isolate.ts";
import type { DueConversation } from "../../src/jobs/queries.ts";
import { SERVICE_LIMITS, type ServiceLimits } from "../../src/limits.ts";
import { report } from "../../src/organizations/service.ts";
import { createLog } from "../../src/platform/log.ts";
import { type Runtime, systemRuntime } from "../../src/platform/runtime.ts";
import { run } from "../../src/platform/sql.ts";
import { summarizeDue } from "../../src/summaries/run.ts";
import { deleteApart, sweep } from "../../src/sweep.ts";
import { archiveApart } from "../../src/transfer/archives.ts";
import { deliverShare } from "../../src/webhooks/deliveries.ts";
import { answeredRequests, BASE_URL, type Caller, createOrganization } from "./client.ts";
import { type Body, beginningOf, readAs, readProblem } from "./contract.ts";
import { env } from "./env.ts";
import { cellsOfTest, databaseAt, placedEnv } from "./places.ts";
import { type RequestParts, toRequest } from "./requests.ts";
import { promptRuntime } from "./runtime.ts";

/** A clock that a test moves. It starts at the real time. */
export class Clock implements Runtime {
  #ms = Date.now();
  readonly #later: { atMs: number; work: () => Promise<void> }[] = [];

  nowMs(): number {
    return this.#ms;
  }

  advance(ms: number): void {
    this.#ms += ms;
  }

  /** Runs only when `pass` reaches its time. Does not wait for it. */
  async after(delayMs: number, work: () => Promise<void>): Promise<void> {
    this.#later.push({ atMs: this.#ms + delayMs, work });
  }

  /** Advances the clock and runs what becomes due, in order. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.#ms + ms;
    for (;;) {
      const [next] = this.#later.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs);
      if (next === undefined) break;
      this.#later.splice(this.#later.indexOf(next), 1);
      this.#ms = Math.max(this.#ms, next.atMs);
      await next.work();
    }
    this.#ms = untilMs;
  }

  pause(ms: number): Promise<void> {
    return systemRuntime.pause(ms);
  }

  randomBytes(length: number): Uint8Array {
    return systemRuntime.randomBytes(length);
  }
}

/**
 * An isolate of the service with its own bindings, clock and limits, separate from the one that `send` calls.
 */
export class Service {
  readonly #env: Env;
  readonly #isolate: Isolate;
  readonly #app: ReturnType<typeof createApp>;
  readonly #deferred: Promise<unknown>[] = [];

  constructor(
    bindings: Partial<Env> = {},
    runtime: Runtime = promptRuntime,
    limits: Partial<ServiceLimits> = {},
  ) {
    this.#isolate = openIsolate(runtime, { ...SERVICE_LIMITS, ...limits });
    this.#app = createApp(this.#isolate);
    this.#env = placedEnv(env as unknown as Env, bindings, {
      fetch: (...call) => this.#app.fetch(...call),
      waitUntil: (work) => void this.#deferred.push(work),
    });
  }

  /** Sends a request. Work after the response continues until `settle`. */
  async send(path: string, init: RequestInit): Promise<Response> {
    const context = {
      waitUntil: (work: Promise<unknown>) => this.#deferred.push(work),
      passThroughOnException: () => {},
      props: {},
      exports: { Background: { deliver: this.#deliver } },
    };
    const request = new Request(`${BASE_URL}${path}`, init);
    const response = await this.#app.fetch(request, this.#env, context as unknown as ExecutionContext);
    answeredRequests.add(response.headers.get("x-request-id"));
    return response;
  }

  /** Calls an operation. Of a stream of events, reads the first chunk. */
  async fetch(secret: string, contract: RouteConfig, parts: RequestParts = {}): Promise<Response> {
    return beginningOf(await this.open(secret, contract, parts));
  }

  /** Calls an operation, and resolves when the response begins. Work after that continues until `settle`. */
  async open(secret: string, contract: RouteConfig, parts: RequestParts = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${secret}`, ...parts.headers };
    return this.send(...toRequest(contract, { ...parts, headers }));
  }

  callerOf(secret: string): Caller {
    return {
      secret,
      fetch: (contract, parts) => this.fetch(secret, contract, parts),
      call: async <C extends RouteConfig>(contract: C, parts?: RequestParts): Promise<Body<C>> =>
        readAs(contract, await this.fetch(secret, contract, parts)),
      fail: async (contract, parts) => readProblem(contract, await this.fetch(secret, contract, parts)),
    };
  }

  /** Waits for all work that requests continue after the response. */
  async settle(): Promise<void> {
    while (this.#deferred.length > 0) await Promise.allSettled(this.#deferred.splice(0));
  }

  /** @param organizationId in whose database the work begins; without it, in D1. */
  context(organizationId?: string): Invocation {
    return createInvocation({
      isolate: this.#isolate,
      env: this.#env,
      log: createLog(this.#isolate.runtime),
      ...(organizationId === undefined ? {} : { organizationId }),
      invokeDeliver: this.#deliver,
      waitUntil: (work) => this.#deferred.push(work),
    });
  }

  /** One run of the cron, with the invocations that it starts, and of each cell's alarm. */
  async sweep(more: Partial<Invocation> = {}): Promise<void> {
    await this.sweepAt(undefined, more);
    for (const organizationId of await cellsOfTest()) {
      await this.sweepAt(organizationId, more);
      await this.#report(organizationId);
    }
  }

  /** The periodic work of D1, or that of a cell. */
  async sweepAt(organizationId?: string, more: Partial<Invocation> = {}): Promise<void> {
    const open = () => this.#opened(organizationId, more);
    await sweep(open(), {
      index: (due) => this.indexApart(due, open()),
      enrich: () => this.enrichApart(open()),
      summarize: () => this.summarizeApart(open()),
      archive: () => this.archiveApart(open()),
      purge: () => this.purgeApart(open()),
      deliver: this.#deliver,
    });
  }

  #opened(organizationId: string | undefined, { db, ...more }: Partial<Invocation>): Invocation {
    const replaced = db === undefined ? {} : { db: databaseAt(organizationId ?? "d1", db) };
    return { ...this.context(organizationId), ...more, ...replaced };
  }

  /** What an alarm does after its sweep. */
  async #report(organizationId: string): Promise<void> {
    const invocation = this.context(organizationId);
    if ((await invocation.placeOf(organizationId)) === "d1") return;
    const { isUsed } = await run(invocation.db, cellWork(invocation.runtime.nowMs()));
    if (isUsed) await report(invocation, organizationId);
    else await eraseCell(organizationId);
  }

  /** Starts an invocation that sends events of webhooks. It continues until `settle`. */
  readonly #deliver: InvokeDeliver = async (due) => {
    this.#deferred.push(deliverShare(this.context(due[0]?.organizationId), due));
  };

  /** Invocations that a run of the cron, or of a cell's alarm, starts; for a test that starts one, in each place. */
  async indexApart(due: DueConversation[], more: Partial<Invocation>): Promise<boolean> {
    return indexShare({ ...this.#opened(due[0]?.organizationId, {}), ...more }, due);
  }
  async enrichApart(more: Partial<Invocation>): Promise<boolean> {
    return this.#inEach(more, enrichDue);
  }
  async summarizeApart(more: Partial<Invocation>): Promise<boolean> {
    return this.#inEach(more, summarizeDue);
  }
  async archiveApart(more: Partial<Invocation>): Promise<boolean> {
    return this.#inEach(more, archiveApart);
  }
  async purgeApart(more: Partial<Invocation>): Promise<boolean> {
    return this.#inEach(more, deleteApart);
  }

  async #inEach(
    more: Partial<Invocation>,
    work: (invocation: Invocation) => Promise<boolean>,
  ): Promise<boolean> {
    const isWhole = more.runtime !== undefined;
    if (isWhole) return work({ ...this.context(), ...more });
    let isMore = false;
    for (const place of [undefined, ...(await cellsOfTest())])
      isMore = (await work(this.#opened(place, more))) || isMore;
    return isMore;
  }
}

/** Lets the object find that it has no organization, and erase itself. */
const eraseCell = (organizationId: string): Promise<unknown> =>
  runInDurableObject(
    (env.CELLS as unknown as DurableObjectNamespace).getByName(organizationId),
    (cell: DurableObject) => cell.alarm?.(),
  ).catch(() => {});

export async function selectRow<Row>(sql: string, ...binds: unknown[]): Promise<Row> {
  return (await selectRows<Row>(sql, ...binds))[0] as Row;
}

export async function selectRows<Row>(sql: string, ...binds: unknown[]): Promise<Row[]> {
  const { results } = await env.DB.prepare(sql)
    .bind(...binds)
    .all<Row>();
  return results;
}

/** Advances time and sweeps until the organization has nothing left to index or delete. */
export async function sweepUntilIdle(service: Service, clock: Clock, organizationId: string): Promise<void> {
  await service.settle();
  for (let sweeps = 0; sweeps < 60; sweeps++) {
    const left = await selectRow<{ count: number }>(
      `SELECT (SELECT count(*) FROM index_jobs WHERE organization_id = ?1)
            + (SELECT count(*) FROM vector_deletions WHERE organization_id = ?1)
            + (SELECT count(*) FROM conversations WHERE organization_id = ?1 AND deleted_at_ms IS NOT NULL)
            + (SELECT count(*) FROM organizations WHERE id = ?1 AND deleted_at_ms IS NOT NULL)
            + (SELECT count(*) FROM operations WHERE organization_id = ?1 AND completed_at_ms IS NULL) AS count`,
      organizationId,
    );
    if (left.count === 0) return;
    clock.advance(65_000);
    await service.sweep();
  }
  throw new Error("sweeps come to no end");
}

/** Prevents every run from indexing a conversation, as if another run were indexing it. */
export async function holdIndexing(id: string): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO index_jobs (organization_id, conversation_id, from_sequence, to_sequence, due_at_ms, lease_until_ms)
     SELECT organization_id, id, 1, 1, 0, 9e15 FROM conversations WHERE id = ?1`,
  )
    .bind(id)
    .run();
}

export interface StoredChunk {
  id: string;
  conversation_id: string;
  window_start: number;
  start_sequence: number;
  end_sequence: number;
  model: string;
  text_hash: string;
  vector_id: string;
  is_indexed: 0 | 1;
}

/** The chunks of an organization, or of one of its conversations, in order. */
export const selectChunks = (organizationId: string, conversationId: string | null = null) =>
  selectRows<StoredChunk>(
    `SELECT id, conversation_id, window_start, start_sequence, end_sequence, model, text_hash, vector_id,
            indexed_at_ms IS NOT NULL AS is_indexed
       FROM conversation_chunks WHERE organization_id = ?1 AND (?2 IS NULL OR conversation_id = ?2)
      ORDER BY conversation_id, window_start, start_sequence, id`,
    organizationId,
    conversationId,
  );

/** An organization's entries in the keyword index of messages: term and message number. */
export const selectPostings = (organizationId: string) =>
  selectRows<{ term: string; doc: number }>(
    `SELECT p.term AS term, p.doc AS doc FROM message_postings AS p
      WHERE p.term LIKE (SELECT number || '~%' FROM organizations WHERE id = ?1) ORDER BY p.doc, p.term, p.offset`,
    organizationId,
  );

export async function existingVectors(ids: string[]): Promise<string[]> {
  const found: string[] = [];
  for (let i = 0; i < ids.length; i += 20) {
    found.push(...(await env.VECTORIZE.getByIds(ids.slice(i, i + 20))).map(({ id }) => id));
  }
  return found;
}

/** Ids of the vectors of an organization, at most 100. */
export async function vectorsOf(organizationId: string, index = env.VECTORIZE): Promise<string[]> {
  const vector = Array.from({ length: Number(env.EMBEDDING_DIMENSIONS) }, () => 1);
  const { matches } = await index.query(vector, {
    topK: 100,
    namespace: organizationId,
    returnMetadata: "none",
  });
  return matches.map(({ id }) => id).sort();
}

/** An organization whose requests go to a service with its own clock. */
export async function open(
  bindings: Partial<Env> = {},
  limits: Partial<ServiceLimits> = {},
  place?: contracts.Place,
) {
  const { secret, organizationId } = await createOrganization("test", place);
  const clock = new Clock();
  const service = new Service(bindings, clock, limits);
  const caller = service.callerOf(secret);
  const append = (id: string, texts: string[], more: object = {}) =>
    caller.call(contracts.appendMessages, {
      params: { conversation_id: id },
      body: { messages: texts.map((content) => ({ role: "user", content })), ...more },
    });
  const status = (conversationId?: string) =>
    caller.call(contracts.getIndexStatus, {
      query: conversationId ? { conversation_id: conversationId } : {},
    });
  const idle = () => sweepUntilIdle(service, clock, organizationId);
  return { organizationId, clock, service, caller, append, status, idle };
}
export const texts = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `Message number ${from + i}.`);
