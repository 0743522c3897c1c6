// The product's Worker with its cells, whose calls of D1 and of cells take some time more, as they do over a network.
// JavaScript, because the types of Workers and of Node conflict in one program.
import { createEntry } from "../../../../service/src/entry.ts";
import { interceptCalls } from "../../../../service/src/platform/database-calls.ts";

const product = createEntry();

let addedMs = 0;
/** Calls of D1 and of cells since the last request for them. */
let calls = { d1: 0, cell: 0 };

/** Delays and counts a call. */
async function over(place, call) {
  calls[place] += 1;
  if (addedMs > 0) await new Promise((resolve) => setTimeout(resolve, addedMs));
  return call();
}

const METHODS = [
  "run",
  "answer",
  "upsertVectors",
  "queryVectors",
  "existingVectors",
  "deleteVectors",
  "move",
  "state",
];

const withNetwork = (env) => ({
  ...env,
  DB: interceptCalls(env.DB, (_, send) => over("d1", send)),
  CELLS: {
    jurisdiction: (name) => env.CELLS.jurisdiction(name),
    getByName(...of) {
      const cell = env.CELLS.getByName(...of);
      const entries = METHODS.map((name) => [name, (...call) => over("cell", () => cell[name](...call))]);
      return Object.fromEntries(entries);
    },
  },
});

const onNetwork = (Base) =>
  class extends Base {
    constructor(ctx, env) {
      super(ctx, withNetwork(env));
    }
  };

export const Background = onNetwork(product.Background);
export const Cell = onNetwork(product.Cell);
export const Hub = onNetwork(product.Hub);

export default {
  scheduled: (controller, env, ctx) => product.handlers.scheduled(controller, withNetwork(env), ctx),
  fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname !== "/network") return product.handlers.fetch(request, withNetwork(env), ctx);
    addedMs = Number(searchParams.get("ms") ?? addedMs);
    const counted = calls;
    calls = { d1: 0, cell: 0 };
    return Response.json(counted);
  },
};
