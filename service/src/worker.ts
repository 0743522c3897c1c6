import { WorkerEntrypoint } from "cloudflare:workers";
import { createWorker } from "./app.ts";
import type { Env } from "./context.ts";
import type { DueConversation } from "./indexing/jobs-queries.ts";
import { systemRuntime } from "./platform/runtime.ts";

const { handlers, index, enrich } = createWorker(systemRuntime);
export default handlers;

/** Background work in separate invocations. Only the Worker's own cron can call them. */
export class Background extends WorkerEntrypoint<Env> {
  /** Resolves to whether a dependency of indexing was down. */
  index(due: DueConversation[]): Promise<boolean> {
    return index(due, this.env, this.ctx);
  }

  /** Resolves to whether the text model answers. */
  enrich(): Promise<boolean> {
    return enrich(this.env, this.ctx);
  }
}
