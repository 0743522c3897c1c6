import type { MastraDBMessage } from "@mastra/core/agent";
import type { StorageThreadType } from "@mastra/core/memory";
import {
  filterByDateRange,
  jsonValueEquals,
  MemoryStorage,
  type StorageListMessagesInput,
  type StorageListMessagesOutput,
  type StorageListThreadsInput,
  type StorageListThreadsOutput,
  type StorageResourceType,
  storageMessageMatchesMetadataFilter,
} from "@mastra/core/storage";
import type { Engram } from "../../engram.ts";
import { wellFormed } from "../../well-formed.ts";
import { ALL, refused, repeater } from "../external-conversation.ts";
import { wellFormedJson } from "../json.ts";
import { changeResource, deleteResources, readResource, saveResource } from "./resources.ts";
import {
  inOrder,
  type MessageUpdate,
  merged,
  threadMetadata,
  toMastraMessages,
  toNewMessage,
  toThread,
  withNeighbors,
  withUpdate,
} from "./rows.ts";
import {
  deleteMessages,
  deleteThreads,
  messagesWith,
  threadOf,
  threadsOf,
  threadsWith,
} from "./stored-threads.ts";

const MESSAGES_PER_PAGE = 40;
const THREADS_PER_PAGE = 100;

/**
 * Mastra's storage of threads, messages and working memory, in Engram. Each thread is a conversation whose `user_id`
 * is Mastra's resource id. Each message is a message of that conversation, with Mastra's original in `parts`.
 * Messages with the same timestamp keep the order in which they were saved.
 *
 * Needs the scopes `read`, `write` and `delete`. Limits: 16,000 bytes of JSON for a thread's metadata, and 500,000 for a
 * resource with its working memory. A message may have any size. To find a message by its id alone, all threads are read, most recently changed first, until it
 * is found.
 *
 * Not supported: observational memory, listing a resource's messages across threads, copying threads, and moving a
 * thread to another resource. If you save a message whose id exists in another thread, it is stored in both. To move
 * it, use `updateMessages`.
 */
export class EngramMemoryStorage extends MemoryStorage {
  /** A flag that Mastra reads: `updateThread` leaves omitted fields unchanged. */
  override readonly supportsPartialThreadUpdate = true;
  readonly #client: Engram;

  /**
   * Create a storage in the organization of the client's key. Nothing is sent before the first call.
   *
   * @example
   * ```ts
   * import { InMemoryStore, MastraCompositeStore } from "@mastra/core/storage";
   *
   * const storage = new MastraCompositeStore({
   *   id: "hotel",
   *   default: new InMemoryStore(), // all other domains, as that of workflows
   *   domains: { memory: new EngramMemoryStorage(engram) },
   * });
   * const memory = await storage.getStore("memory");
   * const { total } = (await memory?.listThreads({})) ?? {};
   * console.log(total); // 1
   * ```
   */
  constructor(client: Engram) {
    super();
    this.#client = client;
  }

  /**
   * Get a thread; null when there is none with that id, or when `resourceId` is given and differs.
   *
   * @example
   * ```ts
   * const thread = await storage.getThreadById({ threadId: "thread-17", resourceId: "maria" });
   * console.log(thread?.title ?? "Not a thread of hers."); // Arrival
   * ```
   */
  async getThreadById(args: { threadId: string; resourceId?: string }): Promise<StorageThreadType | null> {
    const conversation = await threadOf(this.#client, args.threadId).find();
    const isMeant = conversation && [undefined, conversation.user_id].includes(args.resourceId);
    return isMeant ? toThread(conversation) : null;
  }

  /**
   * Create a thread, or set the title and metadata of the existing one with that id.
   *
   * @throws {Error} when another resource has a thread with that id.
   * @example
   * ```ts
   * const now = new Date();
   * await storage.saveThread({
   *   thread: { id: "thread-18", resourceId: "maria", title: "Dinner", createdAt: now, updatedAt: now },
   * });
   * ```
   */
  async saveThread({ thread }: { thread: StorageThreadType }): Promise<StorageThreadType> {
    const { id, resourceId, title = null } = thread;
    const stored = threadOf(this.#client, id, resourceId);
    const conversation = (await stored.find()) ?? (await stored.create());
    if (conversation.user_id !== resourceId) throw new Error(`Thread ${id} has another resourceId`);
    const metadata = threadMetadata(thread, conversation);
    await this.#client.conversations.update(conversation.id, { title: title && wellFormed(title), metadata });
    return thread;
  }

  /**
   * Change the title and merge fields into the metadata.
   *
   * @throws {Error} when there is no such thread.
   * @example
   * ```ts
   * const { title, metadata } = await storage.updateThread({ id: "thread-17", metadata: { nights: 3 } });
   * console.log(title, metadata); // Arrival { room: 12, nights: 3 }
   * ```
   */
  async updateThread(args: {
    id: string;
    title?: string;
    metadata?: Record<string, unknown>;
  }): Promise<StorageThreadType> {
    const mayRepeat = repeater("precondition_failed");
    for (;;) {
      const found = await threadOf(this.#client, args.id).find();
      if (found === undefined) throw new Error(`Thread ${args.id} not found`);
      const { data, etag } = await this.#client.conversations
        .get(found.id, { message_limit: 1 })
        .withResponse();
      const before = toThread(data);
      const thread = { ...before, metadata: { ...before.metadata, ...args.metadata }, updatedAt: new Date() };
      // A title that `args` does not have is not sent, and the stored one stays.
      const body = { metadata: threadMetadata(thread, data), title: args.title && wellFormed(args.title) };
      try {
        return toThread(await this.#client.conversations.update(found.id, body, { ifMatch: etag }));
      } catch (error) {
        // Another caller changed the thread in the meantime: merge again, so that its changes are kept.
        mayRepeat(error, etag);
      }
    }
  }

  /**
   * Delete a thread with its messages, if it exists.
   *
   * @example
   * ```ts
   * await storage.deleteThread({ threadId: "thread-17" });
   * console.log(await storage.getThreadById({ threadId: "thread-17" })); // null
   * ```
   */
  async deleteThread({ threadId }: { threadId: string }): Promise<void> {
    await threadOf(this.#client, threadId).delete();
  }

  /**
   * Get a page of threads, of one resource or of all, whose metadata contains `filter.metadata`. The default page
   * size is 100.
   *
   * @example
   * ```ts
   * const { threads, hasMore } = await storage.listThreads({
   *   filter: { resourceId: "maria", metadata: { room: 12 } },
   *   orderBy: { field: "updatedAt", direction: "DESC" },
   *   perPage: 10,
   * });
   * for (const { id, title } of threads) console.log(id, title); // thread-17 Arrival
   * console.log(hasMore); // false
   * ```
   */
  async listThreads(args: StorageListThreadsInput): Promise<StorageListThreadsOutput> {
    const { filter } = args;
    const { field, direction } = this.parseOrderBy(args.orderBy);
    const list = threadsOf(this.#client, { user_id: filter?.resourceId, stable: true });
    const wanted = wellFormedJson(filter?.metadata);
    const threads = (await list.toArray(ALL))
      .map(toThread)
      // Metadata contains the filter when merging the filter into it changes nothing.
      .filter(({ metadata }) => jsonValueEquals({ ...metadata, ...wanted }, metadata))
      // Threads of the same time keep their order from page to page.
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    const { items, ...shown } = this.#page(inOrder(threads, direction, field), THREADS_PER_PAGE, args);
    return { threads: items, ...shown };
  }

  /**
   * Get a page of messages of one or several threads, ordered by time. The messages that `include` names, and their
   * neighbors, are added. The default page size is 40.
   *
   * @throws {Error} when `threadId` is missing or empty.
   * @example
   * ```ts
   * const { messages, total } = await storage.listMessages({
   *   threadId: "thread-17",
   *   perPage: 1,
   *   orderBy: { field: "createdAt", direction: "DESC" },
   * });
   * console.log(messages[0]?.role, total); // assistant 2
   * ```
   */
  async listMessages(args: StorageListMessagesInput): Promise<StorageListMessagesOutput> {
    const { resourceId, include = [], filter } = args;
    const threadIds = [args.threadId].flat();
    if (threadIds.length === 0 || !threadIds.every((id) => id.trim()))
      throw new Error("threadId must be a non-empty string");
    const { direction } = this.parseOrderBy(args.orderBy, "ASC");
    const stored = await threadsWith(
      this.#client,
      include.map(({ id }) => id),
      [...threadIds, ...include.flatMap(({ threadId = [] }) => threadId)],
    );
    const threads = stored.map((stored) =>
      inOrder(toMastraMessages(stored).filter((message) => !resourceId || message.resourceId === resourceId)),
    );
    const fitting = filterByDateRange(threads.flat(), ({ createdAt }) => createdAt, filter?.dateRange).filter(
      ({ threadId = "", content }) =>
        threadIds.includes(threadId) && storageMessageMatchesMetadataFilter(content, filter?.metadata),
    );
    const { items, ...shown } = this.#page(inOrder(fitting, direction), MESSAGES_PER_PAGE, args);
    const answered = new Set([...items, ...withNeighbors(threads, include)]);
    const isAnswered = (message: MastraDBMessage) => answered.has(message);
    const messages = inOrder(threads.flat().filter(isAnswered), direction);
    return { messages, ...shown, hasMore: shown.hasMore && !fitting.every(isAnswered) };
  }

  /**
   * Get the existing messages with these ids, from any thread, oldest first.
   *
   * @example
   * ```ts
   * const { messages } = await storage.listMessagesById({ messageIds: ["msg-2", "msg-1", "msg-none"] });
   * console.log(messages.map(({ id }) => id).join(", ")); // msg-1, msg-2
   * ```
   */
  async listMessagesById({ messageIds }: { messageIds: string[] }): Promise<{ messages: MastraDBMessage[] }> {
    const found = await messagesWith(this.#client, messageIds);
    return { messages: inOrder(found.map(({ value }) => value)) };
  }

  /**
   * Add messages to their threads. A message whose id exists in its thread replaces the stored one. Many messages
   * are stored in several requests; each request stores all of its messages or none.
   *
   * @throws {Error} when a message has no `threadId` or no `resourceId`; then none is saved.
   * @example
   * ```ts
   * import type { MastraDBMessage } from "@mastra/core/agent";
   *
   * const message: MastraDBMessage = {
   *   id: "msg-3",
   *   role: "user",
   *   createdAt: new Date(),
   *   threadId: "thread-17",
   *   resourceId: "maria",
   *   content: { format: 2, parts: [{ type: "text", text: "And for dessert?" }] },
   * };
   * await storage.saveMessages({ messages: [message] });
   * ```
   */
  async saveMessages(args: { messages: MastraDBMessage[] }): Promise<{ messages: MastraDBMessage[] }> {
    const threadIds = args.messages.map(({ id, threadId, resourceId }) => {
      if (!threadId || !resourceId) throw new Error(`Message ${id} needs threadId and resourceId`);
      return threadId;
    });
    for (const threadId of new Set(threadIds)) {
      const messages = args.messages.filter((message) => message.threadId === threadId);
      const thread = threadOf(this.#client, threadId, messages[0]?.resourceId);
      const saved = messages.map(toNewMessage);
      await thread
        .append(saved)
        .catch(refused("external_id_conflict", () => thread.rewrite((stored) => merged(stored, saved))));
    }
    return args;
  }

  /**
   * Change existing messages. Fields of `content` and of its `metadata` are merged one by one.
   *
   * @example
   * ```ts
   * const parts = [{ type: "text" as const, text: "The soup has no nuts, and the salad has none." }];
   * const [message] = await storage.updateMessages({
   *   messages: [{ id: "msg-2", content: { format: 2, parts, metadata: { corrected: true } } }],
   * });
   * console.log(message?.content.metadata); // { corrected: true }
   * ```
   */
  async updateMessages({ messages: updates }: { messages: MessageUpdate[] }): Promise<MastraDBMessage[]> {
    const stored = await messagesWith(
      this.#client,
      updates.map(({ id }) => id),
    );
    const messages = stored.map(({ value }) =>
      updates.filter(({ id }) => id === value.id).reduce(withUpdate, value),
    );
    await this.saveMessages({ messages });
    // Delete moved messages from their old threads last, so that each is always in at least one thread.
    await deleteMessages(
      this.#client,
      stored.filter(({ value }, i) => messages[i]?.threadId !== value.threadId),
    );
    return messages;
  }

  /**
   * Delete the existing messages with these ids, from any thread.
   *
   * @example
   * ```ts
   * await storage.deleteMessages(["msg-1", "msg-2"]);
   * console.log((await storage.listMessages({ threadId: "thread-17" })).total); // 0
   * ```
   */
  override async deleteMessages(messageIds: string[]): Promise<void> {
    await deleteMessages(this.#client, await messagesWith(this.#client, messageIds));
  }

  /**
   * Get a resource (in Mastra, usually a user) with its working memory; null when nothing is stored for it.
   *
   * @example
   * ```ts
   * const resource = await storage.getResourceById({ resourceId: "maria" });
   * console.log(resource?.workingMemory); // - Allergic to walnuts
   * ```
   */
  override async getResourceById({
    resourceId,
  }: {
    resourceId: string;
  }): Promise<StorageResourceType | null> {
    return readResource(this.#client, resourceId);
  }

  /**
   * Store a resource, replacing the existing one.
   *
   * @example
   * ```ts
   * const now = new Date();
   * await storage.saveResource({
   *   resource: { id: "paul", workingMemory: "- Wants a quiet room", createdAt: now, updatedAt: now },
   * });
   * ```
   */
  override async saveResource({ resource }: { resource: StorageResourceType }): Promise<StorageResourceType> {
    await saveResource(this.#client, resource);
    return resource;
  }

  /**
   * Change the working memory, or merge fields into the metadata. Omitted values stay.
   *
   * @example
   * ```ts
   * const { workingMemory, metadata } = await storage.updateResource({
   *   resourceId: "maria",
   *   metadata: { language: "it" },
   * });
   * console.log(workingMemory, metadata); // - Allergic to walnuts { language: 'it' }
   * ```
   */
  override async updateResource(args: {
    resourceId: string;
    workingMemory?: string;
    metadata?: Record<string, unknown>;
  }): Promise<StorageResourceType> {
    const updatedAt = new Date();
    const created: StorageResourceType = { id: args.resourceId, createdAt: updatedAt, updatedAt };
    return changeResource(this.#client, args.resourceId, (stored) => {
      const before = stored ?? created;
      const workingMemory = args.workingMemory ?? before.workingMemory;
      return { ...before, updatedAt, workingMemory, metadata: { ...before.metadata, ...args.metadata } };
    });
  }

  /**
   * Delete all threads and all resources. The first 1,000 of each are deleted before this resolves, the others in the
   * background.
   *
   * @example
   * ```ts
   * await storage.dangerouslyClearAll(); // between two tests, say
   * console.log((await storage.listThreads({})).total); // 0
   * ```
   */
  async dangerouslyClearAll(): Promise<void> {
    await Promise.all([deleteThreads(this.#client), deleteResources(this.#client)]);
  }

  #page<Item>(
    items: Item[],
    perPageDefault: number,
    { page = 0, perPage = perPageDefault }: { page?: number; perPage?: number | false },
  ) {
    this.validatePaginationInput(page, perPage);
    const size = perPage === false ? items.length : perPage;
    // Mastra expects a total of 0 for a page size of 0.
    const total = size && items.length;
    // If `perPage` is false (all on one page), `validatePaginationInput` has ensured that `page` is 0.
    const end = (page + 1) * size;
    return { items: items.slice(page * size, end), total, page, perPage, hasMore: end < total };
  }
}
