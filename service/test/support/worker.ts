import { DurableObject } from "cloudflare:workers";
import { createWorker } from "../../src/app.ts";
import type { Env } from "../../src/invocation.ts";
import type { BoundStatement, Outcome } from "../../src/platform/cell-storage.ts";
import { Hub as ProductionHub } from "../../src/worker.ts";
import { env } from "./env.ts";
import { promptRuntime } from "./runtime.ts";

export { Database } from "@engram/local/database";

const { handlers, openCell } = createWorker(promptRuntime);

export class Hub extends ProductionHub {
  constructor(ctx: DurableObjectState, bindings: Env) {
    super(ctx, { ...bindings, DB: env.DB });
  }
}

export class Cell extends DurableObject<Env> {
  readonly #cell = openCell(this.ctx, { ...this.env, DB: env.DB });

  run(statements: BoundStatement[]): Promise<Outcome> {
    return this.#cell.run(statements);
  }

  override alarm(): Promise<void> {
    return this.#cell.alarm();
  }
}

/** The Worker that tests call over the network. */
export default {
  ...handlers,
  fetch: (request, bindings, ctx) => handlers.fetch(request, { ...bindings, DB: env.DB }, ctx),
} satisfies ExportedHandler<Env>;
