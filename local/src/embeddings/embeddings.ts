import { join } from "node:path";
import { shownUrl } from "../endpoints/address.ts";
import type { Output } from "./bge/progress.ts";
import { BgeSource } from "./bge/source.ts";
import type { EmbeddingChoice } from "./choice.ts";
import { EndpointClient } from "./endpoint/calls.ts";
import { learnDimensions } from "./endpoint/dimensions.ts";
import { EndpointSource } from "./endpoint/source.ts";
import { EmbeddingQueue } from "./queue.ts";
import type { EmbeddingSource } from "./source.ts";

/** The production model id: this model with "cls" pooling produces the same vectors. */
const BGE_MODEL = "@cf/baai/bge-base-en-v1.5";

export interface Embeddings {
  /** Model id in the service. Vectors of different models are never compared. */
  readonly model: string;
  readonly dimensions: number;
  /** For people. */
  readonly description: string;
  /** Start loading in the background. The first call does so at the latest. */
  open(): void;
  /** One vector per text, in order. @throws {EmbeddingError} */
  embed(texts: string[]): Promise<Float32Array[]>;
  stop(): void;
}

/**
 * Determine the model id and dimensions, which the Workers need before they start.
 *
 * @throws {StartError} When they cannot be determined.
 */
export async function prepareEmbeddings(
  choice: EmbeddingChoice,
  dataPath: string,
  output: Output = process.stderr,
): Promise<Embeddings> {
  if (choice.kind === "bge-base") {
    const { specification, hub } = choice;
    const modelsPath = join(dataPath, "models");
    return {
      model: BGE_MODEL,
      dimensions: specification.dimensions,
      description: "bge-base, on this machine",
      ...queued(() => new BgeSource({ specification, hub, modelsPath, output })),
    };
  }
  const say = (line: string) => output.write(`${line}\n`);
  const client = new EndpointClient(choice);
  const dimensions = await learnDimensions(client, choice, dataPath, say);
  return {
    // Prefixed: an endpoint may use production's model name with another pooling.
    model: `endpoint/${choice.model}/${dimensions}`,
    dimensions,
    description: `${choice.model}, ${dimensions} dimensions, at ${shownUrl(choice)}`,
    ...queued(() => new EndpointSource(client, dimensions, say)),
  };
}

/** A queue over a source, both created at the first use. */
function queued(createSource: () => EmbeddingSource): Pick<Embeddings, "open" | "embed" | "stop"> {
  let queue: EmbeddingQueue | undefined;
  const open = () => {
    queue ??= new EmbeddingQueue(createSource());
    return queue;
  };
  return { open, embed: (texts) => open().embed(texts), stop: () => queue?.stop() };
}
