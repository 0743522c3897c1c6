// The product's Worker with an additional route that passes switches to the stand-ins. JavaScript, because
// the types of Workers and of Node conflict in one program.
import worker from "../../../../../service/src/worker.ts";

export { Background } from "../../../../../service/src/worker.ts";

export default {
  ...worker,
  async fetch(request, env, ctx) {
    if (request.method !== "PUT" || !request.url.endsWith("/switches"))
      return worker.fetch(request, env, ctx);
    await env.VECTORIZE.setSwitches(await request.json());
    return new Response(null, { status: 204 });
  },
};
