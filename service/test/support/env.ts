import { env as workerEnv } from "cloudflare:workers";
import type { D1Migration } from "@cloudflare/vitest-plugin";
import type { LocalControl } from "@engram/local/control";
import type { Env } from "../../src/invocation.ts";

/** The Worker's bindings, and those that control the stand-ins. */
export const env = workerEnv as unknown as Env & {
  ADMIN_TOKEN: string;
  MIGRATIONS: D1Migration[];
  CONTROL: Service<LocalControl>;
};
