import type { Call } from "./call.ts";

/** A page of a list. */
export interface Page<Item> {
  /** The items, in order. A page may have fewer items than requested, or none, although more pages follow. */
  items: Item[];
  /** Pass it as `cursor` to get the next page; null at the end. */
  next_cursor: string | null;
  /**
   * The number of matching items on all pages; present only if the query has `include_total`. Null when counting would
   * read too many rows.
   */
  total?: number | null;
}

/**
 * A list that is fetched page by page while it is read. Nothing is sent before reading starts. Each iteration starts
 * over: at the first item, or at the query's `cursor`.
 *
 * If a request fails, iteration throws the same errors as any call. Stopping early sends no further requests.
 */
export class List<Item, ItsPage extends Page<Item> = Page<Item>> implements AsyncIterable<Item> {
  readonly #fetchPage: (cursor: string | undefined) => Call<ItsPage>;
  readonly #cursor: string | undefined;

  /** @internal */
  constructor(fetchPage: (cursor: string | undefined) => Call<ItsPage>, cursor: string | undefined) {
    this.#fetchPage = fetchPage;
    this.#cursor = cursor;
  }

  /**
   * Iterate over every item, in order.
   *
   * @example
   * ```ts
   * for await (const { title } of engram.conversations.list({ tags_any: ["billing"] })) console.log(title);
   * ```
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.items;
  }

  /**
   * Iterate over every page. A page is fetched when iteration reaches it.
   *
   * @example
   * ```ts
   * for await (const { items } of engram.conversations.list({ limit: 100 }).pages()) console.log(items.length);
   * ```
   */
  async *pages(): AsyncGenerator<ItsPage, void, undefined> {
    let cursor = this.#cursor;
    do {
      const page = await this.#fetchPage(cursor);
      yield page;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }

  /**
   * Get a single page: the first, or the one that the query's `cursor` selects.
   *
   * @example
   * ```ts
   * const { items, next_cursor } = await engram.conversations.list({ limit: 10 }).page();
   * ```
   */
  page(): Call<ItsPage> {
    return this.#fetchPage(this.#cursor);
  }

  /**
   * Get the first `max` items, or all if there are fewer.
   *
   * @throws {TypeError} when `max` is not a number. `Infinity` gets all items.
   * @example
   * ```ts
   * const newest = await engram.messages.list(conversation.id, { newest: 5 }).toArray({ max: 5 });
   * ```
   */
  async toArray(bound: { max: number }): Promise<Item[]> {
    const max = bound?.max;
    if (typeof max !== "number" || Number.isNaN(max))
      throw new TypeError(
        "max must be the largest number of items to get, such as { max: 100 }; Infinity for all",
      );
    const items: Item[] = [];
    if (max <= 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= max) break;
    }
    return items;
  }
}
