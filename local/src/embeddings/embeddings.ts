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
 * bge-base with "cls" pooling on this machine computes the same vectors as the model in production, so it has
 * the id of that model.
 */
const BGE_MODEL = "@cf/baai/bge-base-en-v1.5";

export interface Embeddings {
  /** Id of the model. The service never compares vectors that have different model ids. */
  readonly model: string;
  readonly dimensions: number;
  readonly description: string;
  open(): void;
  embed(texts: string[]): Promise<Float32Array[]>;
  stop(): void;
}

/**
 * Runs before the Workers start, because they need the model's id and the number of dimensions.
 *
 * @throws {StartError} If an endpoint does not respond and its number of dimensions is not known from an
 * earlier start.
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
    // An endpoint may use the name of the model in production but compute other vectors, hence the
    // prefix.
    model: `endpoint/${choice.model}/${dimensions}`,
    dimensions,
    description: `${choice.model}, ${dimensions} dimensions, at ${shownUrl(choice)}`,
    ...queued(() => new EndpointSource(client, dimensions, say)),
  };
}

function queued(createSource: () => EmbeddingSource): Pick<Embeddings, "open" | "embed" | "stop"> {
  let queue: EmbeddingQueue | undefined;
  const open = () => {
    queue ??= new EmbeddingQueue(createSource());
    return queue;
  };
  return { open, embed: (texts) => open().embed(texts), stop: () => queue?.stop() };
}
