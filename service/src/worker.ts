import { WorkerEntrypoint } from "cloudflare:workers";
import { createWorker } from "./app.ts";
import type { Env } from "./context.ts";
import type { DueConversation } from "./indexing/jobs-queries.ts";
import { systemRuntime } from "./platform/runtime.ts";

const { handlers, index, enrich } = createWorker(systemRuntime);
export default handlers;

/**
 * Background work that runs in a separate invocation, with its own limits of D1 statements. Only the Worker itself
 * can call it, from its cron trigger.
 */
export class Background extends WorkerEntrypoint<Env> {
  /** Indexes conversations. Resolves to whether the embedding model or the vector store was down. */
  index(due: DueConversation[]): Promise<boolean> {
    return index(due, this.env, this.ctx);
  }

  /** Runs the text model over waiting memories. Resolves to whether the model responds. */
  enrich(): Promise<boolean> {
    return enrich(this.env, this.ctx);
  }
}
