// Lets the service's Worker use one object as its database, in place of D1. The Worker itself is the one of production.
import { DurableObject } from "cloudflare:workers";
import { toDatabase } from "../../../service/src/platform/cell-database.ts";
import {
  type BoundStatement,
  CellStorage,
  type Outcome,
} from "../../../service/src/platform/cell-storage.ts";

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

/** The name of the one object. */
const DATABASE_NAME = "DB";

let isOpen = false;

export class Database extends DurableObject {
  readonly #storage = new CellStorage(this.ctx.storage);

  run(statements: BoundStatement[]): Outcome {
    return this.#storage.run(statements);
  }
}

/** The database, for one invocation of a Worker, which may run this number of statements. */
export const openDatabase = (
  namespace: DurableObjectNamespace<Database>,
  statementsMax = Number.POSITIVE_INFINITY,
): D1Database =>
  // A new stub each time, because a stub fails forever once its object has been reset.
  toDatabase(async (statements) => namespace.getByName(DATABASE_NAME).run(statements), statementsMax);

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
  return Object.assign({}, env, { DB: openDatabase(env.DATABASE, statementsMax) });
}
