// The product's Worker with one route more, which hands switches on to the stand-ins.
// JavaScript, because the Worker's types and Node's do not go together in one program.
import worker from "../../../../service/src/worker.ts";

export { Background } from "../../../../service/src/worker.ts";

export default {
  ...worker,
  async fetch(request, env, ctx) {
    if (request.method !== "PUT" || !request.url.endsWith("/switches"))
      return worker.fetch(request, env, ctx);
    await env.VECTORIZE.setSwitches(await request.json());
    return new Response(null, { status: 204 });
  },
};
