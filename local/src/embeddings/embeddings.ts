import { type EndpointAddress, shownUrl } from "../endpoints/address.ts";
import { EndpointClient } from "./endpoint/calls.ts";
import { learnDimensions } from "./endpoint/dimensions.ts";
import { EndpointSource } from "./endpoint/source.ts";
import { EmbeddingQueue } from "./queue.ts";

export interface Embeddings {
  /** Id of the model. The service never compares vectors that have different model ids. */
  readonly model: string;
  readonly dimensions: number;
  readonly description: string;
  embed(texts: string[]): Promise<Float32Array[]>;
  stop(): void;
}

/**
 * Runs before the Workers start, because they need the model's id and the number of dimensions.
 *
 * @throws {StartError} If the endpoint does not respond and its number of dimensions is not known from an
 * earlier start.
 */
export async function prepareEmbeddings(
  address: EndpointAddress,
  dataPath: string,
  say: (line: string) => void,
): Promise<Embeddings> {
  const client = new EndpointClient(address);
  const dimensions = await learnDimensions(client, address, dataPath, say);
  const queue = new EmbeddingQueue(new EndpointSource(client, dimensions, say));
  return {
    // An endpoint may use the name of the model in production but compute other vectors, hence the
    // prefix.
    model: `endpoint/${address.model}/${dimensions}`,
    dimensions,
    description: `${address.model}, ${dimensions} dimensions, at ${shownUrl(address)}`,
    embed: (texts) => queue.embed(texts),
    stop: () => queue.stop(),
  };
}
