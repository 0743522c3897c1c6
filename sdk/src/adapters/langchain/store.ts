import {
  BaseStore,
  type GetOperation,
  getTextAtPath,
  type Item,
  type ListNamespacesOperation,
  type MatchCondition,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
  validateNamespace,
} from "@langchain/langgraph-checkpoint";
import type { Engram } from "../../engram.ts";
import type { Conversation, Message } from "../../generated/schema.ts";
import { hasCode } from "../external-conversation.ts";
import { exactJson } from "../json.ts";

const TAG = "langgraph";
/** The service's limit on the results of one search. */
const RESULTS_MAX = 50;
/** Maximum number of requests at the same time. */
const CONCURRENT = 8;

type Value = Item["value"];
type Place = Pick<Item, "namespace" | "key">;

/**
 * A LangGraph store with search by words and by meaning. Each item is a conversation with one message, whose
 * `parts` hold the value.
 *
 * Needs the scopes `read`, `write`, `search` and `delete`. Limits: 240 characters for namespace and key
 * together, and 500,000 bytes of JSON for a value.
 */
export class EngramStore extends BaseStore {
  readonly #client: Engram;

  /**
   * Create a store in the organization of the client's key. Nothing is sent before the first call.
   *
   * @example
   * ```ts
   * const store = new EngramStore(engram);
   * await store.put(["guests", "paul"], "room", { text: "Wants a quiet room", floor: 3 });
   * const item = await store.get(["guests", "paul"], "room");
   * console.log(item?.value.text); // Wants a quiet room
   * ```
   */
  constructor(client: Engram) {
    super();
    this.#client = client;
  }

  /**
   * Run several operations. The reads run before the puts of the same batch, so they do not see them. Of several puts
   * to one key, only the last is stored. A put is stored completely or not at all, but if a batch fails, some of its
   * puts may be stored.
   *
   * @throws {InvalidNamespaceError} for a namespace with a label that is empty or contains a dot. {TypeError} for a
   *   value that JSON cannot represent exactly. Nothing is stored then.
   * @example
   * ```ts
   * import type { GetOperation, PutOperation, SearchOperation } from "@langchain/langgraph-checkpoint";
   *
   * const namespace = ["guests", "maria"];
   * const operations: [GetOperation, SearchOperation, PutOperation] = [
   *   { namespace, key: "diet" },
   *   { namespacePrefix: ["guests"], query: "Who is allergic?", limit: 3, offset: 0 },
   *   { namespace, key: "room", value: { text: "Wants a quiet room" } },
   * ];
   * const [diet, found] = await store.batch(operations);
   * console.log(diet?.value.text, found.length); // Allergic to walnuts 1
   * ```
   */
  async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const puts = new Map<string, () => Promise<void>>();
    const reads = operations.map((operation): (() => Promise<unknown>) => {
      if ("value" in operation) {
        puts.set(externalId(operation), this.#toPut(operation));
        return async () => undefined;
      }
      if ("namespacePrefix" in operation) return () => this.#search(operation);
      if ("key" in operation) return () => this.#get(operation);
      return () => this.#listNamespaces(operation as ListNamespacesOperation);
    });
    const results = await inTurns(reads);
    await inTurns([...puts.values()]);
    return results as OperationResults<Op>;
  }

  async #get(operation: GetOperation): Promise<Item | null> {
    const conversation = await this.#find(operation);
    return conversation === undefined ? null : this.#read(conversation);
  }

  async #find(place: Place): Promise<Conversation | undefined> {
    return (await this.#client.conversations.list({ external_id: externalId(place) }).page()).items[0];
  }

  /** The item in a conversation. Null if the conversation was deleted in the meantime, or has no message yet. */
  async #read(conversation: Conversation): Promise<Item | null> {
    try {
      const { items } = await this.#client.messages.list(conversation.id, { newest: 1 }).page();
      return items[0] === undefined ? null : toItem(conversation, items[0]);
    } catch (error) {
      if (hasCode(error, "not_found")) return null;
      throw error;
    }
  }

  /**
   * Throws for an invalid put. Otherwise returns a function that sends the put, so that a whole batch is checked before
   * anything is sent.
   */
  #toPut(operation: PutOperation): () => Promise<void> {
    const { namespace, key, value, index } = operation;
    if (value === null) {
      return async () => {
        const conversation = await this.#find(operation);
        if (conversation === undefined) return;
        await this.#client.conversations.delete(conversation.id).catch((error) => {
          if (!hasCode(error, "not_found")) throw error;
        });
      };
    }
    const texts = Array.isArray(index) ? index.flatMap((path) => getTextAtPath(value, path)) : textsOf(value);
    const message = {
      role: "user" as const,
      content: index === false ? "" : texts.join("\n"),
      parts: exactJson({ namespace, key, value }, "The item"),
    };
    const body = {
      external_id: externalId(operation),
      title: key,
      tags: tagsOf(namespace),
      metadata: { namespace },
    };
    return async () => {
      for (;;) {
        const { id, last_sequence } = await this.#client.conversations.create(body);
        try {
          // The conversation has no message other than the item, so `last_sequence` is the sequence number of the item.
          const ends = { expected_last_sequence: last_sequence, from_sequence: 1 };
          await this.#client.messages.replace(id, { ...ends, messages: [message] });
          return;
        } catch (error) {
          // A concurrent put or deletion came first: try again.
          if (!hasCode(error, "sequence_conflict") && !hasCode(error, "not_found")) throw error;
        }
      }
    };
  }

  /** With a query, the filter applies to the 50 best results. Without a query, items are in order of creation. */
  async #search(operation: SearchOperation): Promise<SearchItem[]> {
    const { namespacePrefix, filter, query, limit = 10, offset = 0 } = operation;
    validateNamespace(namespacePrefix, { allowEmpty: true, allowReservedRoot: true });
    const tags_all = [tagOf(namespacePrefix)];
    const fits = (item: Item | null): item is Item => item !== null && matches(item.value, filter);
    if (query) {
      const { results } = await this.#client.search({ query, tags_all, limit: RESULTS_MAX });
      return results
        .flatMap(({ conversation, messages, relevance }) =>
          messages.slice(0, 1).map((message) => ({ ...toItem(conversation, message), score: relevance })),
        )
        .filter(fits)
        .slice(offset, offset + limit);
    }
    const found: Item[] = [];
    const list = this.#client.conversations.list({ tags_all, sort: "created_at", order: "asc" });
    for await (const { items } of list.pages()) {
      const read = await inTurns(items.map((conversation) => () => this.#read(conversation)));
      found.push(...read.filter(fits));
      if (found.length >= offset + limit) break;
    }
    return found.slice(offset, offset + limit);
  }

  async #listNamespaces(operation: ListNamespacesOperation): Promise<string[][]> {
    const { matchConditions = [], maxDepth, limit, offset } = operation;
    const found = new Map<string, string[]>();
    for await (const { metadata } of this.#client.conversations.list({ tags_all: [TAG], limit: 100 })) {
      const namespace = metadata.namespace as string[];
      if (!matchConditions.every((condition) => isUnder(namespace, condition))) continue;
      const upper = namespace.slice(0, maxDepth);
      found.set(upper.join("."), upper);
    }
    const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, namespace]) => namespace);
    return sorted.slice(offset, offset + limit);
  }
}

/** Id of an item's conversation. A namespace never contains two dots in a row, so they mark where the key begins. */
function externalId({ namespace, key }: Place): string {
  validateNamespace(namespace, { allowReservedRoot: true });
  return `${tagOf(namespace)}..${key}`;
}

const tagOf = (namespace: string[]) => [TAG, ...namespace].join(".");

/** One tag for each prefix of the namespace, so that a search by prefix finds the item. */
const tagsOf = (namespace: string[]) => [TAG, ...namespace].map((_, i) => tagOf(namespace.slice(0, i)));

function toItem({ created_at }: Pick<Conversation, "created_at">, { parts, stored_at }: Message): Item {
  const item = parts as unknown as Place & { value: Value };
  return { ...item, createdAt: new Date(created_at), updatedAt: new Date(stored_at) };
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

function isUnder(namespace: string[], { matchType, path }: MatchCondition): boolean {
  if (path.length > namespace.length) return false;
  const start = matchType === "prefix" ? 0 : namespace.length - path.length;
  return path.every((label, i) => label === "*" || label === namespace[start + i]);
}

function matches(value: Value, filter: Value = {}): boolean {
  return Object.entries(filter).every(([name, wanted]) => {
    const conditions = typeof wanted === "object" && wanted !== null ? Object.entries(wanted) : null;
    if (!conditions?.every(([operator]) => operator in OPERATORS)) return value[name] === wanted;
    return conditions.every(([operator, other]) => OPERATORS[operator]?.(value[name], other));
  });
}

const OPERATORS: Record<string, (value: unknown, other: unknown) => boolean> = {
  $eq: (value, other) => value === other,
  $ne: (value, other) => value !== other,
  $gt: (value, other) => Number(value) > Number(other),
  $gte: (value, other) => Number(value) >= Number(other),
  $lt: (value, other) => Number(value) < Number(other),
  $lte: (value, other) => Number(value) <= Number(other),
  $in: (value, other) => Array.isArray(other) && other.includes(value),
  $nin: (value, other) => !Array.isArray(other) || !other.includes(value),
};

/** Runs tasks, at most `CONCURRENT` at the same time. Returns their results in the order of the tasks. */
async function inTurns<T>(tasks: (() => Promise<T>)[]): Promise<T[]> {
  const results: T[] = [];
  for (let i = 0; i < tasks.length; i += CONCURRENT) {
    results.push(...(await Promise.all(tasks.slice(i, i + CONCURRENT).map((task) => task()))));
  }
  return results;
}
