import { WorkerEntrypoint } from "cloudflare:workers";
import { createWorker } from "./app.ts";
import type { Env } from "./context.ts";
import type { DueConversation } from "./indexing/jobs-queries.ts";
import { SERVICE_LIMITS } from "./limits.ts";
import { systemRuntime } from "./platform/runtime.ts";

/**
 * The two exports of a Worker's main module: the handlers are its default export, and the class must be exported as
 * `Background`.
 */
export function createEntry(limits = SERVICE_LIMITS) {
  const { handlers, index, enrich, deleteVectors } = createWorker(systemRuntime, limits);

  /**
   * Runs background work in an invocation of its own, which has its own limit of D1 statements. Only the Worker itself
   * can call this class, from its cron trigger.
   */
  class Background extends WorkerEntrypoint<Env> {
    /** Resolves to true if the embedding model or the vector store was down, or the run failed. */
    index(due: DueConversation[]): Promise<boolean> {
      return index(due, this.env, this.ctx);
    }

    /** Resolves to false if no text model is configured, or if an enrichment or the whole run failed. */
    enrich(): Promise<boolean> {
      return enrich(this.env, this.ctx);
    }

    /** Resolves to true if more vectors are to be deleted; false if none is, or the run failed. */
    deleteVectors(): Promise<boolean> {
      return deleteVectors(this.env, this.ctx);
    }
  }
  return { handlers, Background };
}
