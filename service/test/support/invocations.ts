import * as contracts from "@engram/spec";
import type { RouteConfig } from "@hono/zod-openapi";
import { createApp } from "../../src/app.ts";
import { answerPassed } from "../../src/cell-answers.ts";
import { purgeApart } from "../../src/deletions/purge.ts";
import { enrichDue } from "../../src/enrichment/service.ts";
import { indexShare } from "../../src/indexing/sweep.ts";
import type { AnsweringCell, Env, Invocation, InvokeDeliver, Isolate } from "../../src/invocation.ts";
import { createInvocation, openIsolate } from "../../src/isolate.ts";
import type { DueConversation } from "../../src/jobs/queries.ts";
import { SERVICE_LIMITS, type ServiceLimits } from "../../src/limits.ts";
import { toDatabase } from "../../src/platform/cell-database.ts";
import { createLog } from "../../src/platform/log.ts";
import { cellStore } from "../../src/platform/places.ts";
import { type Runtime, systemRuntime } from "../../src/platform/runtime.ts";
import { summarizeDue } from "../../src/summaries/run.ts";
import { sweep } from "../../src/sweep.ts";
import { deliverShare } from "../../src/webhooks/deliveries.ts";
import { answeredRequests, BASE_URL, type Caller, createOrganization } from "./client.ts";
import { type Body, beginningOf, readAs, readProblem } from "./contract.ts";
import { env } from "./env.ts";
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
    this.#env = { ...env, CELLS: this.#over(env.CELLS), ...bindings } as Env;
    this.#isolate = openIsolate(runtime, { ...SERVICE_LIMITS, ...limits });
    this.#app = createApp(this.#isolate);
  }

  /** Cells that answer with the bindings, clock and limits of this service. Their databases are those of the objects. */
  readonly #over = (cells: NonNullable<Env["CELLS"]>): NonNullable<Env["CELLS"]> => ({
    jurisdiction: (name) => this.#over(cells.jurisdiction(name)),
    getByName: (...of) => {
      const cell = cells.getByName(...of);
      const run: AnsweringCell["run"] = async (statements) => cell.run(statements);
      const vectors: Omit<AnsweringCell, "run" | "answer"> = {
        upsertVectors: async (...call) => cell.upsertVectors(...call),
        queryVectors: async (...call) => cell.queryVectors(...call),
        existingVectors: async (...call) => cell.existingVectors(...call),
        deleteVectors: async (...call) => cell.deleteVectors(...call),
        // A test that moves an organization runs the alarms itself.
        move: async () => {},
      };
      const waitUntil = (work: Promise<unknown>) => void this.#deferred.push(work);
      const answer: AnsweringCell["answer"] = (passed) => {
        const CELL_VECTORS = cellStore(() => vectors);
        const bindings = { ...this.#env, DB: toDatabase(run), DIRECTORY: this.#env.DB, CELL_VECTORS };
        return answerPassed(this.#app.fetch, bindings, passed, waitUntil);
      };
      return { run, answer, ...vectors };
    },
  });

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

  context(): Invocation {
    return createInvocation({
      isolate: this.#isolate,
      env: this.#env,
      log: createLog(this.#isolate.runtime),
      invokeDeliver: this.#deliver,
      waitUntil: (work) => this.#deferred.push(work),
    });
  }

  /** One run of the cron, with the invocations that it starts. */
  async sweep(more: Partial<Invocation> = {}): Promise<void> {
    await sweep(
      { ...this.context(), ...more },
      {
        index: (due) => this.indexApart(due, more),
        enrich: () => this.enrichApart(more),
        summarize: () => this.summarizeApart(more),
        purge: () => this.purgeApart(more),
        deliver: this.#deliver,
      },
    );
  }

  /** Starts an invocation that sends events of webhooks. It continues until `settle`. */
  readonly #deliver: InvokeDeliver = async (due) => {
    this.#deferred.push(deliverShare(this.context(), due));
  };

  /** Invocations that a run of the cron starts. */
  async indexApart(due: DueConversation[], more: Partial<Invocation>): Promise<boolean> {
    return indexShare({ ...this.context(), ...more }, due);
  }
  async enrichApart(more: Partial<Invocation>): Promise<boolean> {
    return enrichDue({ ...this.context(), ...more });
  }
  async summarizeApart(more: Partial<Invocation>): Promise<boolean> {
    return summarizeDue({ ...this.context(), ...more });
  }
  async purgeApart(more: Partial<Invocation>): Promise<boolean> {
    return purgeApart({ ...this.context(), ...more });
  }
}

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
export async function vectorsOf(organizationId: string): Promise<string[]> {
  const vector = Array.from({ length: Number(env.EMBEDDING_DIMENSIONS) }, () => 1);
  const { matches } = await env.VECTORIZE.query(vector, {
    topK: 100,
    namespace: organizationId,
    returnMetadata: "none",
  });
  return matches.map(({ id }) => id).sort();
}

/** An organization whose requests go to a service with its own clock. */
export async function open(bindings: Partial<Env> = {}, limits: Partial<ServiceLimits> = {}) {
  const { secret, organizationId } = await createOrganization();
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
