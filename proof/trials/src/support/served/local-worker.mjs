// The stand-ins, with switches that the product's Worker can reach.
import { vectorStore } from "../../../../../local/src/env.ts";
import { switches } from "../../../../../local/src/switches.ts";
import { LocalVectorize as Vectorize } from "../../../../../local/src/worker.ts";

export { LocalAI, VectorStore } from "../../../../../local/src/worker.ts";

export class LocalVectorize extends Vectorize {
  async setSwitches({ flush, ...changes }) {
    Object.assign(switches, changes);
    if (flush) await vectorStore(this.env).store.flush();
  }
}

export default { fetch: () => new Response("Not found", { status: 404 }) };
