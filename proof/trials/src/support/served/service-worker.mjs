// The product's Worker with shorter times of background work, and with an additional route that passes switches to the
// stand-ins. JavaScript, because the types of Workers and of Node conflict in one program.
import { createEntry } from "../../../../../service/src/entry.ts";
import { SERVICE_LIMITS } from "../../../../../service/src/limits.ts";
import { SHORT_TIMES_WITH_LAG } from "./times.ts";

const { handlers, Background, Cell, Hub } = createEntry({ ...SERVICE_LIMITS, ...SHORT_TIMES_WITH_LAG });

export { Background, Cell, Hub };
export default {
  ...handlers,
  async fetch(request, env, ctx) {
    if (request.method !== "PUT" || !request.url.endsWith("/switches"))
      return handlers.fetch(request, env, ctx);
    await env.VECTORIZE.setSwitches(await request.json());
    return new Response(null, { status: 204 });
  },
};
