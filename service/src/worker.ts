import { WorkerEntrypoint } from "cloudflare:workers";
import { createWorker } from "./app.ts";
import type { Env } from "./context.ts";
import type { DueConversation } from "./queries/index-jobs.ts";
import { systemRuntime } from "./runtime.ts";

const { handlers, index, enrich } = createWorker(systemRuntime);
export default handlers;

/** What goes on behind the answers as invocations of their own, which only the Worker's own cron can call. */
export class Background extends WorkerEntrypoint<Env> {
  /** Resolves to whether something that indexing needs was down. */
  index(due: DueConversation[]): Promise<boolean> {
    return index(due, this.env, this.ctx);
  }

  /** Resolves to whether the text model answers. */
  enrich(): Promise<boolean> {
    return enrich(this.env, this.ctx);
  }
}
