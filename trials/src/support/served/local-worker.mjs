// The stand-ins, with their switches in reach of the product's Worker, and a text that the model refuses.
import { vectorStore } from "../../../../local/src/env.ts";
import { switches } from "../../../../local/src/switches.ts";
import { LocalAI as AI, LocalVectorize as Vectorize } from "../../../../local/src/worker.ts";
import { POISON } from "../poison.ts";

export { VectorStore } from "../../../../local/src/worker.ts";

export class LocalAI extends AI {
  async run(model, input, options) {
    // First, since a model that is down refuses nothing on its own account.
    const output = await super.run(model, input, options);
    if ([input.text].flat().some((text) => text.includes(POISON)))
      throw new Error("5006: Error: this text is refused");
    return output;
  }
}

export class LocalVectorize extends Vectorize {
  async setSwitches({ flush, ...changes }) {
    Object.assign(switches, changes);
    if (flush) await vectorStore(this.env).store.flush();
  }
}

export default { fetch: () => new Response("Not found", { status: 404 }) };
