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

/** Production's own id: its vectors are what this model makes of a text by "cls" pooling, too. */
const BGE_MODEL = "@cf/baai/bge-base-en-v1.5";

/** The embedder that was chosen in the place of the built-in one. */
export interface Embeddings {
  /** What the service knows the model by: vectors of two that differ in it are never compared. */
  readonly model: string;
  readonly dimensions: number;
  /** What it is, for people. */
  readonly description: string;
  /** Begin what takes its time; done by the first call at the latest. */
  open(): void;
  /** A vector per text, in order. @throws {EmbeddingError} */
  embed(texts: string[]): Promise<Float32Array[]>;
  /** End what is under way. */
  stop(): void;
}

/**
 * Find out what the Workers must know of an embedder before they start.
 *
 * @throws {StartError} When that is not to be had.
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
    // A name of its own: an endpoint may call a model as production does, and pool its vectors otherwise.
    model: `endpoint/${choice.model}/${dimensions}`,
    dimensions,
    description: `${choice.model}, ${dimensions} dimensions, at ${shownUrl(choice)}`,
    ...queued(() => new EndpointSource(client, dimensions, say)),
  };
}

/** A source behind a queue, both made when they are first needed. */
function queued(createSource: () => EmbeddingSource): Pick<Embeddings, "open" | "embed" | "stop"> {
  let queue: EmbeddingQueue | undefined;
  const open = () => {
    queue ??= new EmbeddingQueue(createSource());
    return queue;
  };
  return { open, embed: (texts) => open().embed(texts), stop: () => queue?.stop() };
}
