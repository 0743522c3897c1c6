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
 * bge-base with "cls" pooling computes the same vectors as the model in production, so it has the same id.
 */
const BGE_MODEL = "@cf/baai/bge-base-en-v1.5";

export interface Embeddings {
  /** The service never compares vectors of different models. */
  readonly model: string;
  readonly dimensions: number;
  readonly description: string;
  open(): void;
  embed(texts: string[]): Promise<Float32Array[]>;
  stop(): void;
}

/** The Workers need model id and dimensions before they start. @throws {StartError} */
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
