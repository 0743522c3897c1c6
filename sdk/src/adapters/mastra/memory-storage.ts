import type { MastraDBMessage } from "@mastra/core/agent";
import type { StorageThreadType } from "@mastra/core/memory";
import {
  calculatePagination,
  filterByDateRange,
  jsonValueEquals,
  MemoryStorage,
  normalizePerPage,
  type StorageListMessagesInput,
  type StorageListMessagesOutput,
  type StorageListThreadsInput,
  type StorageListThreadsOutput,
  type StorageResourceType,
  storageMessageMatchesMetadataFilter,
} from "@mastra/core/storage";
import type { Engram } from "../../engram.ts";
import type { Conversation, Message } from "../../generated/schema.ts";
import type { List } from "../../list.ts";
import { ALL, ExternalConversation, hasCode } from "../external-conversation.ts";
import {
  inOrder,
  type MessageUpdate,
  merged,
  threadMetadata,
  toMastraMessages,
  toNewMessage,
  toResource,
  toResourceMessage,
  toThread,
  withUpdate,
} from "./rows.ts";

const THREAD_TAG = "mastra";
const RESOURCE_TAG = "mastra-resource";
const MESSAGES_PER_PAGE = 40;
const THREADS_PER_PAGE = 100;

/**
 * Threads, messages and working memory: a thread is a conversation of the person `resourceId`, a message one with
 * the message as its `parts`. Messages of one moment keep the order in which they were saved.
 *
 * Its key needs the scopes `read`, `write` and `delete`. A thread's metadata takes at most 16,000 bytes as JSON, a
 * message 500,000. A message that is named without its thread is looked for in all threads, the last changed first.
 *
 * Not supported: observational memory, a resource's messages without their threads, copies of threads, a thread given
 * to another resource. A message saved under an id that a message of another thread has leaves that one where it is;
 * `updateMessages` moves it.
 */
export class EngramMemoryStorage extends MemoryStorage {
  /** That `updateThread` leaves alone what it is not given. */
  override readonly supportsPartialThreadUpdate = true;
  readonly #client: Engram;

  /** Make a storage of the organization that the client's key belongs to. Nothing is sent before its first call. */
  constructor(client: Engram) {
    super();
    this.#client = client;
  }

  /** A thread; null when there is none of that id, or `resourceId` is named and is another one. */
  async getThreadById(args: { threadId: string; resourceId?: string }): Promise<StorageThreadType | null> {
    const conversation = await this.#thread(args.threadId).find();
    if (conversation === undefined) return null;
    const thread = toThread(conversation);
    return [undefined, thread.resourceId].includes(args.resourceId) ? thread : null;
  }

  /**
   * Stores a thread, or gives the one of that id this title and metadata.
   *
   * @throws {Error} when another resource has a thread of that id.
   */
  async saveThread({ thread }: { thread: StorageThreadType }): Promise<StorageThreadType> {
    const { id: external_id, resourceId: user_id, title = null } = thread;
    const body = { external_id, user_id, tags: [THREAD_TAG] };
    const conversation = await this.#client.conversations.create(body);
    if (conversation.user_id !== user_id) throw new Error(`Thread ${external_id} has another resourceId`);
    const metadata = threadMetadata(thread, conversation);
    await this.#client.conversations.update(conversation.id, { title, metadata });
    return thread;
  }

  /** Adds to the metadata. @throws {Error} when there is no such thread. */
  async updateThread(args: {
    id: string;
    title?: string;
    metadata?: Record<string, unknown>;
  }): Promise<StorageThreadType> {
    for (;;) {
      const found = await this.#thread(args.id).find();
      if (found === undefined) throw new Error(`Thread ${args.id} not found`);
      const { data, etag } = await this.#client.conversations
        .get(found.id, { message_limit: 1 })
        .withResponse();
      const before = toThread(data);
      const thread = { ...before, metadata: { ...before.metadata, ...args.metadata }, updatedAt: new Date() };
      // A title that is not named stays, whoever gives one meanwhile.
      const body = { metadata: threadMetadata(thread, data), title: args.title };
      try {
        return toThread(await this.#client.conversations.update(found.id, body, { ifMatch: etag }));
      } catch (error) {
        // Another changed it meanwhile, and what they added must stay.
        if (!hasCode(error, "precondition_failed")) throw error;
      }
    }
  }

  /** Deletes a thread with its messages, if it is there. */
  async deleteThread({ threadId }: { threadId: string }): Promise<void> {
    await this.#thread(threadId).delete();
  }

  /** A page of the threads of one resource, or of all, that have the `metadata`; 100 unless `perPage` says otherwise. */
  async listThreads(args: StorageListThreadsInput): Promise<StorageListThreadsOutput> {
    const { page = 0, perPage = THREADS_PER_PAGE, orderBy, filter } = args;
    const { field, direction } = this.parseOrderBy(orderBy);
    const conversations = await this.#conversations(filter?.resourceId).toArray(ALL);
    const threads = conversations
      .map(toThread)
      .filter(({ metadata }) =>
        Object.entries(filter?.metadata ?? {}).every(([name, value]) =>
          jsonValueEquals(metadata?.[name], value),
        ),
      );
    const sorted = inOrder(threads, field, direction);
    const { items, ...shown } = this.#page(sorted, page, perPage);
    return { threads: items, ...shown };
  }

  /**
   * A page of the messages of one thread or of several, 40 unless `perPage` says otherwise, and those of `include`
   * with their neighbours, by time.
   *
   * @throws {Error} without a thread.
   */
  async listMessages(args: StorageListMessagesInput): Promise<StorageListMessagesOutput> {
    const { resourceId, include = [], filter, perPage = MESSAGES_PER_PAGE, page = 0, orderBy } = args;
    const threadIds = [args.threadId].flat();
    if (threadIds.length === 0 || !threadIds.every((id) => id.trim()))
      throw new Error("threadId must be a non-empty string or several");
    const { direction } = this.parseOrderBy(orderBy, "ASC");
    const isOwn = (message: MastraDBMessage) => !resourceId || message.resourceId === resourceId;
    const stored = await Promise.all(threadIds.map((id) => this.#thread(id).messages()));
    const all = toMastraMessages(stored.flat()).filter(isOwn);
    const fitting = filterByDateRange(all, (message) => message.createdAt, filter?.dateRange).filter(
      ({ content }) => storageMessageMatchesMetadataFilter(content, filter?.metadata),
    );
    const sorted = inOrder(fitting, "createdAt", direction);
    const { items, ...shown } = this.#page(sorted, page, perPage);
    const known = new Map(all.map((message) => [message.id, message]));
    const answered = new Set(items.map(({ id }) => id));
    const hints = [...include.flatMap((each) => each.threadId ?? []), ...threadIds];
    const ids = include.map(({ id }) => id);
    for (const others of await this.#threadsWith(ids, hints)) {
      const around = inOrder(toMastraMessages(others).filter(isOwn), "createdAt", "ASC");
      for (const { id, withPreviousMessages = 0, withNextMessages = 0 } of include) {
        const at = around.findIndex((message) => message.id === id);
        if (at < 0) continue;
        const window = around.slice(Math.max(0, at - withPreviousMessages), at + withNextMessages + 1);
        for (const message of window) {
          known.set(message.id, message);
          answered.add(message.id);
        }
      }
    }
    const messages = [...known.values()].filter(({ id }) => answered.has(id));
    const hasMore = shown.hasMore && sorted.some(({ id }) => !answered.has(id));
    return { messages: inOrder(messages, "createdAt", direction), ...shown, hasMore };
  }

  /** The messages of these ids that there are, in whatever thread, oldest first. */
  async listMessagesById({ messageIds }: { messageIds: string[] }): Promise<{ messages: MastraDBMessage[] }> {
    const messages = (await this.#threadsWith(messageIds)).flatMap(toMastraMessages);
    const named = messages.filter(({ id }) => messageIds.includes(id));
    return { messages: inOrder(named, "createdAt", "ASC") };
  }

  /**
   * Adds messages to their threads, of each thread's all or none; one whose id its thread has already takes that
   * one's place.
   *
   * @throws {Error} when one has no `threadId` or no `resourceId`; then none is saved.
   */
  async saveMessages(args: { messages: MastraDBMessage[] }): Promise<{ messages: MastraDBMessage[] }> {
    const threadIds = args.messages.map(({ id, threadId, resourceId }) => {
      if (!threadId || !resourceId) throw new Error(`Message ${id} has no threadId or no resourceId`);
      return threadId;
    });
    for (const threadId of new Set(threadIds)) {
      const messages = args.messages.filter((message) => message.threadId === threadId);
      const thread = this.#thread(threadId, messages[0]?.resourceId);
      const saved = messages.map(toNewMessage);
      try {
        await thread.append(saved);
      } catch (error) {
        if (!hasCode(error, "external_id_conflict")) throw error;
        await thread.rewrite((stored) => merged(stored, saved));
      }
    }
    return args;
  }

  /** Changes messages that there are; fields of `content` and of its `metadata` one by one. */
  async updateMessages({ messages: updates }: { messages: MessageUpdate[] }): Promise<MastraDBMessage[]> {
    const byId = new Map(updates.map((update) => [update.id, update]));
    const changes = (await this.#threadsWith([...byId.keys()])).flat().flatMap((stored) => {
      const update = byId.get(stored.external_id ?? "");
      if (update === undefined) return [];
      return toMastraMessages([stored]).map((before) => ({
        stored,
        before,
        after: withUpdate(before, update),
      }));
    });
    const { messages } = await this.saveMessages({ messages: changes.map(({ after }) => after) });
    // One that is moved to another thread is there by now: it is never in none.
    for (const { stored, before, after } of changes) {
      if (after.threadId !== before.threadId) await this.#deleteMessage(stored);
    }
    return messages;
  }

  /** Deletes the messages of these ids that there are, in whatever thread. */
  override async deleteMessages(messageIds: string[]): Promise<void> {
    const found = (await this.#threadsWith(messageIds)).flat();
    for (const message of found) {
      if (messageIds.includes(message.external_id ?? "")) await this.#deleteMessage(message);
    }
  }

  async #deleteMessage({ conversation_id, id }: Message): Promise<void> {
    await this.#client.messages.delete(conversation_id, id).catch((error) => {
      if (!hasCode(error, "not_found")) throw error;
    });
  }

  /** What is kept of a resource, its working memory too; null when nothing is. */
  override async getResourceById({
    resourceId,
  }: {
    resourceId: string;
  }): Promise<StorageResourceType | null> {
    return toResource(await this.#resource(resourceId).messages());
  }

  /** Stores what is to be kept of a resource, in the place of what was. */
  override async saveResource({ resource }: { resource: StorageResourceType }): Promise<StorageResourceType> {
    await this.#resource(resource.id).rewrite(() => [toResourceMessage(resource)]);
    return resource;
  }

  /** Changes working memory, or fields of the metadata one by one; what is not named stays. */
  override async updateResource(args: {
    resourceId: string;
    workingMemory?: string;
    metadata?: Record<string, unknown>;
  }): Promise<StorageResourceType> {
    const updatedAt = new Date();
    const change = (before: StorageResourceType | null): StorageResourceType => ({
      ...{ id: args.resourceId, createdAt: updatedAt, ...before, updatedAt },
      workingMemory: args.workingMemory ?? before?.workingMemory,
      metadata: { ...before?.metadata, ...args.metadata },
    });
    let resource = change(null);
    await this.#resource(args.resourceId).rewrite((stored) => {
      resource = change(toResource(stored));
      return [toResourceMessage(resource)];
    });
    return resource;
  }

  /** Deletes all threads and working memory, whoever's: the first 1,000 at once, further ones soon after. */
  async dangerouslyClearAll(): Promise<void> {
    await this.#client.conversations.deleteMany({ tags_any: [THREAD_TAG, RESOURCE_TAG] });
  }

  #thread(threadId: string, resourceId?: string): ExternalConversation {
    return new ExternalConversation(this.#client, threadId, { tags: [THREAD_TAG], user_id: resourceId });
  }

  #resource(resourceId: string): ExternalConversation {
    const init = { tags: [RESOURCE_TAG], user_id: resourceId };
    return new ExternalConversation(this.#client, `${RESOURCE_TAG}:${resourceId}`, init);
  }

  /** The conversations of all threads, or of one resource's, the last changed first. */
  #conversations(user_id?: string): List<Conversation> {
    return this.#client.conversations.list({ tags_all: [THREAD_TAG], limit: 100, user_id });
  }

  /** The messages of each thread that holds some with these ids; those named in `hints` are looked at first. */
  async #threadsWith(ids: string[], hints: string[] = []): Promise<Message[][]> {
    const missing = new Set(ids);
    const found: Message[][] = [];
    for await (const threadId of this.#threadIds(hints)) {
      if (missing.size === 0) break;
      const stored = await this.#thread(threadId).messages();
      if (stored.filter(({ external_id }) => missing.delete(external_id ?? "")).length > 0)
        found.push(stored);
    }
    return found;
  }

  async *#threadIds(hints: string[]): AsyncGenerator<string> {
    yield* new Set(hints);
    for await (const { external_id } of this.#conversations()) if (external_id !== null) yield external_id;
  }

  #page<Item>(items: Item[], page: number, perPage: number | false) {
    this.validatePaginationInput(page, perPage);
    const size = normalizePerPage(perPage, 0);
    const total = size === 0 ? 0 : items.length;
    const { offset, perPage: shown } = calculatePagination(page, perPage, size);
    const hasMore = offset + size < total;
    return { items: items.slice(offset, offset + size), total, page, perPage: shown, hasMore };
  }
}
