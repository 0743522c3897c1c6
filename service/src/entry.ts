import { DurableObject, WorkerEntrypoint } from "cloudflare:workers";
import { createWorker } from "./app.ts";
import type { CellAnswer, CellState, Env, PassedRequest } from "./invocation.ts";
import type { DueConversation } from "./jobs/queries.ts";
import { SERVICE_LIMITS } from "./limits.ts";
import type { SocketHub } from "./live/hub.ts";
import type { BoundStatement, Outcome } from "./platform/cell-storage.ts";
import scan from "./platform/cell-vectors/scan-int8.wasm";
import { systemRuntime } from "./platform/runtime.ts";
import type { StoredVector, VectorFilter, VectorMatch } from "./platform/vectors.ts";
import type { Invocations } from "./sweep.ts";
import type { WebhookRef } from "./webhooks/queries.ts";

/**
 * The exports of a Worker's main module: the handlers are its default export, and the classes must be exported as
 * `Background`, `Cell` and `Hub`.
 */
export function createEntry(limits = SERVICE_LIMITS) {
  const { handlers, backgroundIn, openCell, openHub } = createWorker(systemRuntime, limits);

  /**
   * Runs background work in an invocation of its own, which has its own limit of D1 statements. Only the Worker itself
   * can call this class: from its cron trigger, and for webhooks that have events left after a response.
   */
  class Background extends WorkerEntrypoint<Env> implements Invocations {
    readonly #runs = backgroundIn(this.env, this.ctx);

    /** Resolves to true if the embedding model or the vector store was down, or the run failed. */
    index(due: DueConversation[]): Promise<boolean> {
      return this.#runs.index(due);
    }

    /** Resolves to false if no text model is configured, or if an enrichment or the whole run failed. */
    enrich(): Promise<boolean> {
      return this.#runs.enrich();
    }

    /** Resolves to true if more summaries may be due; false if none is, or one or the whole run failed. */
    summarize(): Promise<boolean> {
      return this.#runs.summarize();
    }

    /** Resolves to true if more is left to archive; false if nothing is, or the run failed. */
    archive(): Promise<boolean> {
      return this.#runs.archive();
    }

    /** Resolves to true if more is left to purge; false if nothing is, or the run failed. */
    purge(): Promise<boolean> {
      return this.#runs.purge();
    }

    /** Sends due events of webhooks. Resolves when that has begun. */
    deliver(due: WebhookRef[]): Promise<void> {
      return this.#runs.deliver(due);
    }
  }

  /** Holds the rows of one organization, whose id is its name. Only the Worker itself can reach it. */
  class Cell extends DurableObject<Env> {
    readonly #cell = openCell(this.ctx, this.env, scan);

    run(statements: BoundStatement[]): Promise<Outcome> {
      return this.#cell.run(statements);
    }

    upsertVectors(vectors: StoredVector[]): Promise<void> {
      return this.#cell.vectors.upsert(this.ctx.id.name ?? "", vectors);
    }

    queryVectors(vector: number[], filter: VectorFilter, timeoutMs?: number): Promise<VectorMatch[]> {
      return this.#cell.vectors.query(this.ctx.id.name ?? "", vector, filter, timeoutMs);
    }

    existingVectors(ids: string[], timeoutMs?: number): Promise<Map<string, string | null>> {
      return this.#cell.vectors.existing(ids, timeoutMs);
    }

    deleteVectors(ids: string[]): Promise<void> {
      return this.#cell.vectors.delete(ids);
    }

    answer(passed: PassedRequest): Promise<CellAnswer> {
      return this.#cell.answer(passed);
    }

    move(): Promise<void> {
      return this.#cell.move();
    }

    state(): Promise<CellState> {
      return this.#cell.state();
    }

    override alarm(): Promise<void> {
      return this.#cell.alarm();
    }
  }

  /** Holds the sockets of one organization, whose id is its name. Only the Worker itself can reach it. */
  class Hub extends DurableObject<Env> {
    readonly #hub = openHub(this.ctx, this.env);

    override fetch(request: Request): Promise<Response> {
      return this.#hub.accept(request);
    }

    /** Sends new events to the sockets. Resolves to whether there are any. */
    poke(): Promise<boolean> {
      return this.#hub.poke();
    }

    issueTicket(...ticket: Parameters<SocketHub["issueTicket"]>): Promise<void> {
      return this.#hub.issueTicket(...ticket);
    }

    /** Resolves to the number of subscriptions that it was sent to. */
    broadcast(...broadcast: Parameters<SocketHub["broadcast"]>): Promise<number> {
      return this.#hub.broadcast(...broadcast);
    }

    /** Resolves to null if too many are present already. */
    setPresence(...present: Parameters<SocketHub["setPresence"]>): ReturnType<SocketHub["setPresence"]> {
      return this.#hub.setPresence(...present);
    }

    listPresences(...of: Parameters<SocketHub["listPresences"]>): ReturnType<SocketHub["listPresences"]> {
      return this.#hub.listPresences(...of);
    }

    override alarm(): Promise<void> {
      return this.#hub.alarm();
    }

    override webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
      return this.#hub.receive(socket, data);
    }

    override webSocketClose(socket: WebSocket, code: number, reason: string): void {
      this.#hub.ended(socket, code, reason);
    }
  }

  return { handlers, Background, Cell, Hub };
}
