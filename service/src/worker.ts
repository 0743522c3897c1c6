import { createApp } from "./app.ts";
import { createServiceContext, type Env } from "./context.ts";
import { systemRuntime } from "./runtime.ts";
import { sweep } from "./services/sweep.ts";

const app = createApp();

export default {
  fetch: app.fetch,
  async scheduled(_controller, env, ctx) {
    await sweep(createServiceContext(env, systemRuntime, (work) => ctx.waitUntil(work)));
  },
} satisfies ExportedHandler<Env>;
