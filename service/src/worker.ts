import { createApp } from "./app.ts";
import { type Env, runLogged } from "./context.ts";
import { createLog } from "./log.ts";
import { systemRuntime } from "./runtime.ts";
import { sweep } from "./services/sweep.ts";

const app = createApp();

export default {
  fetch: app.fetch,
  async scheduled(_controller, env, ctx) {
    const waitUntil = (work: Promise<unknown>) => ctx.waitUntil(work);
    await runLogged({ env, runtime: systemRuntime, log: createLog({}), waitUntil }, "sweep", sweep);
  },
} satisfies ExportedHandler<Env>;
