import { WorkerEntrypoint } from "cloudflare:workers";
import { createWorker } from "./app.ts";
import type { Env } from "./context.ts";
import type { DueConversation } from "./indexing/jobs-queries.ts";
import { systemRuntime } from "./platform/runtime.ts";

const { handlers, index, enrich } = createWorker(systemRuntime);
export default handlers;

/** Each run has its own limit of D1 statements. Only the Worker itself can call this, from its cron trigger. */
export class Background extends WorkerEntrypoint<Env> {
  /** Resolves to whether the embedding model or the vector store was down. */
  index(due: DueConversation[]): Promise<boolean> {
    return index(due, this.env, this.ctx);
  }

  /** Resolves to whether the text model responds. */
  enrich(): Promise<boolean> {
    return enrich(this.env, this.ctx);
  }
}
