// The product's Worker, which reports how often its sweep ran, and logs a megabyte each time.
import worker from "../../../service/src/worker.ts";

const LINE = "x".repeat(1_000);
let sweeps = 0;

export default {
  async fetch(request, env, ctx) {
    if (request.url.endsWith("/sweeps")) return Response.json(sweeps);
    return worker.fetch(request, env, ctx);
  },
  scheduled() {
    for (let i = 0; i < 1_000; i++) console.log(LINE);
    sweeps += 1;
  },
};
