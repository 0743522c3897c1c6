import type { Entity, Mention, operations } from "../generated/schema.ts";
import type { Http } from "../http.ts";
import { List } from "../list.ts";
import type { CallOptions } from "../options.ts";

/** Which entities to list. */
export type ListEntitiesQuery = NonNullable<operations["listEntities"]["parameters"]["query"]>;

/** Which mentions to list. */
export type ListMentionsQuery = NonNullable<operations["listMentions"]["parameters"]["query"]>;

/** List the files, errors, links, dates and other entities that messages mention, and where. */
export class Entities {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * List entities, ordered by kind and value. Needs the scope `read`.
   *
   * @example
   * ```ts
   * for await (const { value, mention_count } of engram.entities.list({ kind: "file", prefix: "src/" })) {
   *   console.log(value, mention_count);
   * }
   * ```
   */
  list(query: ListEntitiesQuery = {}, options: CallOptions = {}): List<Entity> {
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/entities", { ...init, params: { query: { ...query, cursor } } }),
      );
    return new List(fetchPage, query.cursor);
  }

  /**
   * List the places where messages mention an entity: by conversation, the oldest first, and in the order of its
   * messages. Needs the scope `read`.
   *
   * @example
   * ```ts
   * const [entity] = await engram.entities.list({ kind: "error_code" }).toArray({ max: 1 });
   * if (entity !== undefined) {
   *   for await (const { conversation_id, sequence, text } of engram.entities.mentions(entity.id)) {
   *     console.log(conversation_id, sequence, text);
   *   }
   * }
   * ```
   */
  mentions(entityId: string, query: ListMentionsQuery = {}, options: CallOptions = {}): List<Mention> {
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/entities/{entity_id}/mentions", {
          ...init,
          params: { path: { entity_id: entityId }, query: { ...query, cursor } },
        }),
      );
    return new List(fetchPage, query.cursor);
  }
}
