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

/**
 * The id of the model in production. bge-base with "cls" pooling computes the same vectors, so it has the same id.
 */
const BGE_MODEL = "@cf/baai/bge-base-en-v1.5";

export interface Embeddings {
  /** Id of the model in the service, which never compares vectors of different models. */
  readonly model: string;
  readonly dimensions: number;
  /** Description of the model for the user. */
  readonly description: string;
  /** Starts loading the model in the background. Otherwise the first call of `embed` starts it. */
  open(): void;
  /** One vector per text, in order. @throws {EmbeddingError} */
  embed(texts: string[]): Promise<Float32Array[]>;
  stop(): void;
}

/**
 * Determines the id of the model and the dimensions of its vectors, which the Workers need before they start.
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
    // With a prefix, because an endpoint may use the name of the model in production but compute other vectors.
    model: `endpoint/${choice.model}/${dimensions}`,
    dimensions,
    description: `${choice.model}, ${dimensions} dimensions, at ${shownUrl(choice)}`,
    ...queued(() => new EndpointSource(client, dimensions, say)),
  };
}

/** Calls go to the source (the model) through an `EmbeddingQueue`. Both are created when they are first used. */
function queued(createSource: () => EmbeddingSource): Pick<Embeddings, "open" | "embed" | "stop"> {
  let queue: EmbeddingQueue | undefined;
  const open = () => {
    queue ??= new EmbeddingQueue(createSource());
    return queue;
  };
  return { open, embed: (texts) => open().embed(texts), stop: () => queue?.stop() };
}
