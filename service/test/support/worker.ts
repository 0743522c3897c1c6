import { createWorker } from "../../src/app.ts";
import type { Env } from "../../src/invocation.ts";
import { Cell as ProductionCell, Hub as ProductionHub } from "../../src/worker.ts";
import { env } from "./env.ts";
import { promptRuntime } from "./runtime.ts";

export { Database } from "@engram/local/database";

const { handlers } = createWorker(promptRuntime);

export class Hub extends ProductionHub {
  constructor(ctx: DurableObjectState, bindings: Env) {
    super(ctx, { ...bindings, DB: env.DB });
  }
}

/** With the clock and the database of the tests. */
export class Cell extends ProductionCell {
  constructor(ctx: DurableObjectState, bindings: Env) {
    super(ctx, { ...bindings, DB: env.DB });
  }
}

/** The Worker that tests call over the network. */
export default {
  ...handlers,
  fetch: (request, bindings, ctx) => handlers.fetch(request, { ...bindings, DB: env.DB }, ctx),
} satisfies ExportedHandler<Env>;
