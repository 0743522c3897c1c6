// The stand-ins, with their switches in reach of the product's Worker, and a text that the embedder refuses.
import { vectorStore } from "../../../../local/src/env.ts";
import { switches } from "../../../../local/src/switches.ts";
import { LocalAI as AI, LocalVectorize as Vectorize } from "../../../../local/src/worker.ts";
import { POISON, REFUSAL } from "../poison.ts";

export { VectorStore } from "../../../../local/src/worker.ts";

/** How often a call of a silent model looks whether it may answer. */
const SILENCE_POLL_MS = 20;
/** The text model's own fault; one of `ai` is the embedder's, too. */
const own = { textModel: null };

export class LocalAI extends AI {
  async run(model, input, options) {
    const isOfTextModel = "messages" in input;
    while (isOfTextModel && own.textModel === "hang") await scheduler.wait(SILENCE_POLL_MS);
    // First, since a model that is down refuses nothing on its own account.
    const output = await super.run(model, input, options);
    const refused = isOfTextModel ? undefined : [input.text].flat().find((text) => text.includes(POISON));
    if (refused !== undefined) throw new Error(`${REFUSAL}: ${refused}`);
    return output;
  }
}

export class LocalVectorize extends Vectorize {
  async setSwitches({ flush, textModel = own.textModel, ...changes }) {
    Object.assign(switches, changes);
    own.textModel = textModel;
    if (flush) await vectorStore(this.env).store.flush();
  }
}

export default { fetch: () => new Response("Not found", { status: 404 }) };
