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
import { PAGE_ITEMS_MAX, SEARCH_RESULTS_MAX } from "../../generated/limits.ts";
import type { CreateMemoryBody, Memory } from "../../generated/schema.ts";
import { hasCode } from "../external-conversation.ts";
import { exactJson, wellFormedJson } from "../json.ts";
import { checkOwner, type NotNull } from "../owner.ts";
import { toQuery } from "../recall.ts";

const TAG = "langgraph";
const OLDEST_FIRST = { sort: "created_at", order: "asc" } as const;
/** Maximum number of requests at the same time. */
const CONCURRENT = 8;

/** The agent and the user that the items of a store belong to. */
export type StoreOwner = NotNull<Pick<CreateMemoryBody, "agent_id" | "user_id">>;

type Value = Item["value"];
type Place = Pick<Item, "namespace" | "key">;

/**
 * A LangGraph store with search by words and by meaning. Each item is a memory, whose `parts` hold the value. A search
 * finds an item as soon as it is stored; on Cloudflare, it finds it by its meaning some seconds later.
 *
 * Needs the scopes `read`, `write`, `search` and `delete`. Limits: 240 characters for namespace and key
 * together, and 500,000 bytes of JSON for a value.
 */
export class EngramStore extends BaseStore {
  readonly #client: Engram;
  readonly #owner: StoreOwner;

  /**
   * Create a store in the organization of the client's key. Nothing is sent before the first call.
   *
   * @param owner Agent and user that the items belong to. Stores of different owners do not see each other's items; one
   *   without an owner sees all that the key can access.
   * @throws {TypeError} when `user_id` or `agent_id` is given but undefined.
   * @example
   * ```ts
   * const store = new EngramStore(engram);
   * await store.put(["guests", "paul"], "room", { text: "Wants a quiet room", floor: 3 });
   * const item = await store.get(["guests", "paul"], "room");
   * console.log(item?.value.text); // Wants a quiet room
   * ```
   */
  constructor(client: Engram, owner: StoreOwner = {}) {
    super();
    this.#client = client;
    this.#owner = checkOwner(owner, "search");
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
    const reads = operations.map(wellFormedJson).map((operation): (() => Promise<unknown>) => {
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
    const memory = await this.#find(operation);
    return memory === undefined ? null : toItem(memory);
  }

  async #find(place: Place): Promise<Memory | undefined> {
    const query = { external_id: externalId(place), ...this.#owner, exact_owner: true, limit: 1 };
    return (await this.#client.memories.list(query).page()).items[0];
  }

  /**
   * Throws for an invalid put. Otherwise returns a function that sends the put, so that a whole batch is checked before
   * anything is sent.
   */
  #toPut(operation: PutOperation): () => Promise<void> {
    const { namespace, key, value, index } = operation;
    if (value === null) {
      return async () => {
        const memory = await this.#find(operation);
        if (memory === undefined) return;
        await this.#client.memories.delete(memory.id).catch((error) => {
          if (!hasCode(error, "not_found")) throw error;
        });
      };
    }
    const texts = Array.isArray(index) ? index.flatMap((path) => getTextAtPath(value, path)) : textsOf(value);
    const body = {
      external_id: externalId(operation),
      content: index === false ? "" : texts.join("\n"),
      parts: exactJson({ namespace, key, value }, "The item"),
      tags: tagsOf(namespace),
      metadata: { namespace },
      // LangGraph expects that a search finds an item as soon as it is stored, also by its meaning.
      wait: "indexed" as const,
      ...this.#owner,
    };
    return async () => {
      await this.#client.memories.put(body);
    };
  }

  /** With a query, the filter applies to the 50 best results. Without a query, items are in order of creation. */
  async #search(operation: SearchOperation): Promise<SearchItem[]> {
    const { namespacePrefix, filter, limit = 10, offset = 0 } = operation;
    const query = toQuery(operation.query ?? "");
    validateNamespace(namespacePrefix, { allowEmpty: true, allowReservedRoot: true });
    const tags_all = [tagOf(namespacePrefix)];
    const fits = (item: Item) => matches(item.value, filter);
    if (query !== "") {
      const body = { query, tags_all, ...this.#owner, limit: SEARCH_RESULTS_MAX };
      const { results } = await this.#client.memories.search(body);
      return results
        .map(({ memory, relevance }) => ({ ...toItem(memory), score: relevance }))
        .filter(fits)
        .slice(offset, offset + limit);
    }
    const found: Item[] = [];
    for await (const memory of this.#client.memories.list({ tags_all, ...this.#owner, ...OLDEST_FIRST })) {
      const item = toItem(memory);
      if (fits(item)) found.push(item);
      if (found.length >= offset + limit) break;
    }
    return found.slice(offset, offset + limit);
  }

  async #listNamespaces(operation: ListNamespacesOperation): Promise<string[][]> {
    const { matchConditions = [], maxDepth, limit, offset } = operation;
    const found = new Map<string, string[]>();
    const list = this.#client.memories.list({
      tags_all: [TAG],
      ...this.#owner,
      ...OLDEST_FIRST,
      limit: PAGE_ITEMS_MAX,
    });
    for await (const { metadata } of list) {
      const namespace = metadata.namespace as string[];
      if (!matchConditions.every((condition) => isUnder(namespace, condition))) continue;
      const upper = namespace.slice(0, maxDepth);
      found.set(upper.join("."), upper);
    }
    const sorted = [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, namespace]) => namespace);
    return sorted.slice(offset, offset + limit);
  }
}

/** External id of an item's memory. A namespace never contains two dots in a row, so they mark where the key begins. */
function externalId({ namespace, key }: Place): string {
  validateNamespace(namespace, { allowReservedRoot: true });
  return `${tagOf(namespace)}..${key}`;
}

const tagOf = (namespace: string[]) => [TAG, ...namespace].join(".");

/** One tag for each prefix of the namespace, so that a search by prefix finds the item. */
const tagsOf = (namespace: string[]) => [TAG, ...namespace].map((_, i) => tagOf(namespace.slice(0, i)));

function toItem({ parts, created_at, updated_at }: Memory): Item {
  const item = parts as unknown as Place & { value: Value };
  return { ...item, createdAt: new Date(created_at), updatedAt: new Date(updated_at) };
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
