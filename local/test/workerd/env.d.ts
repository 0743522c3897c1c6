import type { LocalAI } from "../../src/ai.ts";
import type { LocalControl } from "../../src/control.ts";
import type { LocalVectorize } from "../../src/vectorize/entrypoint.ts";
import type { Database } from "./worker.ts";

declare global {
  namespace Cloudflare {
    // The bindings of vitest.config.ts.
    interface Env {
      AI: Service<LocalAI>;
      VECTORIZE: Service<LocalVectorize>;
      CONTROL: Service<LocalControl>;
      DB: D1Database;
      DATABASE: DurableObjectNamespace<Database>;
    }
  }
}
