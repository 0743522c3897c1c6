import { createWorker } from "../../src/app.ts";
import type { Env } from "../../src/invocation.ts";
import { Cell as ProductionCell, Hub as ProductionHub } from "../../src/worker.ts";
import { d1, env } from "./env.ts";
import { promptRuntime } from "./runtime.ts";

export { Database } from "@engram/local/database";

const { handlers } = createWorker(promptRuntime);
const { CELLS, HUB } = env;
/** The database of the tests, and objects that have jurisdictions. */
const OWN = { DB: d1, CELLS, HUB };

export class Hub extends ProductionHub {
  constructor(ctx: DurableObjectState, bindings: Env) {
    super(ctx, { ...bindings, ...OWN });
  }
}

/** With the clock and the database of the tests. */
export class Cell extends ProductionCell {
  constructor(ctx: DurableObjectState, bindings: Env) {
    super(ctx, { ...bindings, ...OWN });
  }

  /** Sweeps only when a test asks for it, not at a time. */
  override async alarm(info?: AlarmInvocationInfo): Promise<void> {
    if (info === undefined) await super.alarm();
  }
}

export class CellElsewhere extends Cell {}
export class HubElsewhere extends Hub {}

/** The Worker that tests call over the network. */
export default {
  ...handlers,
  fetch: (request, bindings, ctx) => handlers.fetch(request, { ...bindings, ...OWN }, ctx),
} satisfies ExportedHandler<Env>;
