// The stand-ins, with switches that the product's Worker can reach, and with a text that the embedder
// rejects.
import { vectorStore } from "../../../../../local/src/env.ts";
import { switches } from "../../../../../local/src/switches.ts";
import { LocalAI as AI, LocalVectorize as Vectorize } from "../../../../../local/src/worker.ts";
import { POISON, REFUSAL } from "../poison.ts";

export { VectorStore } from "../../../../../local/src/worker.ts";

/** How often a call of a silent model checks whether it may respond. */
const SILENCE_POLL_MS = 20;
/** A fault of the text model only; `ai` affects the embedder too. */
const own = { textModel: null };

export class LocalAI extends AI {
  async run(model, input, options) {
    const isOfTextModel = "messages" in input;
    while (isOfTextModel && own.textModel === "hang") await scheduler.wait(SILENCE_POLL_MS);
    // First, because a model that is down rejects no text.
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
