// Lets the service's Worker use the object as its database. The Worker itself is the one of production.
import { DatabaseClient } from "./client.ts";
import type { Database } from "./object.ts";

export { DatabaseClient } from "./client.ts";
export { Database } from "./object.ts";

interface Bindings {
  DATABASE: DurableObjectNamespace<Database>;
  /** Responds when the first key is stored. Only at the first start. */
  OPENING?: Fetcher;
  /** Statements that an invocation may run. Without it, any number. */
  STATEMENTS_MAX?: string;
}

type Handlers = Required<Pick<ExportedHandler<Bindings>, "fetch" | "scheduled">>;
type Class = new (ctx: never, env: never) => object;

/** The path of the request with which the start creates the first organization and its key. */
const FIRST_REQUEST = "/v1/organizations";

let isOpen = false;

/** The handlers of the service's Worker. At the first start, requests wait until the key is stored. */
export const onDatabase = ({ fetch, scheduled }: Handlers): Handlers => ({
  async fetch(request, env, ctx) {
    if (!isOpen && env.OPENING !== undefined && new URL(request.url).pathname !== FIRST_REQUEST) {
      await env.OPENING.fetch("http://opening/");
      isOpen = true;
    }
    return fetch(request, withDatabase(env), ctx);
  },
  scheduled: (controller, env, ctx) => scheduled(controller, withDatabase(env), ctx),
});

/** An entrypoint that the service's Worker exports, which has an instance for each call. Workers of tests export none. */
export const entrypointOnDatabase = (Base: Class = Object): Class =>
  class extends Base {
    constructor(ctx: never, env: never) {
      super(ctx, withDatabase(env) as never);
    }
  };

/**
 * A Durable Object that the service's Worker exports. Its instance serves many invocations, and cannot tell them apart,
 * so the number of its statements is not limited.
 */
export const objectOnDatabase = (Base: Class = Object): Class =>
  class extends Base {
    constructor(ctx: never, env: Bindings) {
      super(ctx, withDatabase(env, Number.POSITIVE_INFINITY) as never);
    }
  };

/** The bindings of one invocation. */
function withDatabase(
  env: Bindings,
  statementsMax = Number(env.STATEMENTS_MAX ?? Number.POSITIVE_INFINITY),
): Bindings {
  return Object.assign({}, env, { DB: new DatabaseClient(env.DATABASE, { statementsMax }) });
}
