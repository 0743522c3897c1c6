import { type EndpointAddress, shownUrl } from "../endpoints/address.ts";
import type { EmbeddingChoice } from "./choice.ts";
import { EndpointClient } from "./endpoint/calls.ts";
import { learnDimensions } from "./endpoint/dimensions.ts";
import { EndpointSource } from "./endpoint/source.ts";
import { EmbeddingMemory } from "./memory.ts";
import { OWN_MODELS, type OwnModel } from "./models.ts";
import { EmbeddingQueue } from "./queue.ts";
import { SentenceSource } from "./sentences.ts";

export interface Embeddings {
  /** Id of the model. The service never compares vectors that have different model ids. */
  readonly model: string;
  readonly dimensions: number;
  /** Undefined for the default, the model of words. */
  readonly description: string | undefined;
  /** Embeds texts in this process. Undefined if a Worker embeds them. */
  readonly queue: EmbeddingQueue | undefined;
  /** Loads the model before it is needed. Absent if that takes no time. */
  readonly warmUp?: () => void;
}

/**
 * Runs before the Workers start, because they need the model's id and the number of dimensions.
 *
 * @throws {StartError} If the endpoint does not respond and its number of dimensions is not known from an
 * earlier start.
 */
export async function prepareEmbeddings(
  choice: EmbeddingChoice | undefined,
  dataPath: string,
  say: (line: string) => void,
): Promise<Embeddings> {
  const memory = new EmbeddingMemory(dataPath);
  const chosen = choice ?? rememberedModel(memory);
  if (typeof chosen === "object") return prepareEndpoint(chosen, memory, say);
  if (chosen === "words") return { ...OWN_MODELS.words, description: undefined, queue: undefined };
  const queue = new EmbeddingQueue(new SentenceSource(say));
  return {
    ...OWN_MODELS.sentences,
    description: `all-MiniLM-L6-v2, ${OWN_MODELS.sentences.dimensions} dimensions, on this machine`,
    queue,
    // What fails is said by the source, and fails again for those who need it.
    warmUp: () => void queue.embed(["hello"]).catch(() => {}),
  };
}

async function prepareEndpoint(
  address: EndpointAddress,
  memory: EmbeddingMemory,
  say: (line: string) => void,
): Promise<Embeddings> {
  const client = new EndpointClient(address);
  const dimensions = await learnDimensions(client, address, memory, say);
  return {
    // An endpoint may use the name of the model in production but compute other vectors, hence the
    // prefix.
    model: `endpoint/${address.model}/${dimensions}`,
    dimensions,
    description: `${address.model}, ${dimensions} dimensions, at ${shownUrl(address)}`,
    queue: new EmbeddingQueue(new EndpointSource(client, dimensions, say)),
  };
}

function rememberedModel(memory: EmbeddingMemory): OwnModel {
  return memory.read("model") === OWN_MODELS.sentences.model ? "sentences" : "words";
}

/**
 * Notes which model the data directory is used with.
 *
 * @returns Whether an earlier start used another one.
 */
export function rememberModel(model: string, dataPath: string, isFirstStart: boolean): boolean {
  const memory = new EmbeddingMemory(dataPath);
  // Nothing is noted for the default, and was for endpoints before models were noted.
  const before = memory.read("model") ?? (memory.isEmpty() ? OWN_MODELS.words.model : undefined);
  if (before === model) return false;
  memory.write("model", model);
  return before !== undefined && !isFirstStart;
}
