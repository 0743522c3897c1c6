import { WorkerEntrypoint } from "cloudflare:workers";
import { createWorker } from "./app.ts";
import type { Env } from "./context.ts";
import type { DueConversation } from "./queries/index-jobs.ts";
import { systemRuntime } from "./runtime.ts";

const { handlers, index } = createWorker(systemRuntime);
export default handlers;

/** Indexing as an invocation of its own, which only the Worker's own cron can call. */
export class Indexing extends WorkerEntrypoint<Env> {
  /** Resolves to whether something that indexing needs was down. */
  index(due: DueConversation[]): Promise<boolean> {
    return index(due, this.env, this.ctx);
  }
}
