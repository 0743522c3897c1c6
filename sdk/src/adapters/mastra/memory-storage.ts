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
import type { Conversation, Message, NewMessage } from "../../generated/schema.ts";
import type { List } from "../../list.ts";
import { ALL, ExternalConversation, hasCode } from "../external-conversation.ts";
import {
  threadMetadata,
  toMastraMessages,
  toNewMessage,
  toResource,
  toResourceMessage,
  toSameMessage,
  toThread,
} from "./rows.ts";

const THREAD_TAG = "mastra";
const RESOURCE_TAG = "mastra-resource";
const MESSAGES_PER_PAGE = 40;
const THREADS_PER_PAGE = 100;

type MessageUpdate = Parameters<MemoryStorage["updateMessages"]>[0]["messages"][number];

/**
 * Threads, messages and working memory: a thread is a conversation of the person `resourceId`, a message one with
 * the message as its `parts`. Messages of one moment keep the order in which they were saved.
 *
 * Its key needs the scopes `read`, `write` and `delete`. A thread's metadata takes at most 16,000 bytes as JSON, a
 * message 500,000. A message that is named without its thread is looked for in all threads, the last changed first.
 */
export class EngramMemoryStorage extends MemoryStorage {
  override readonly supportsPartialThreadUpdate = true;
  readonly #client: Engram;

  constructor(client: Engram) {
    super();
    this.#client = client;
  }

  async getThreadById(args: { threadId: string; resourceId?: string }): Promise<StorageThreadType | null> {
    const conversation = await this.#thread(args.threadId).find();
    if (conversation === undefined) return null;
    const thread = toThread(conversation);
    return [undefined, thread.resourceId].includes(args.resourceId) ? thread : null;
  }

  /** @throws {Error} when another resource has a thread of that id. */
  async saveThread({ thread }: { thread: StorageThreadType }): Promise<StorageThreadType> {
    const { id: external_id, resourceId: user_id, title = null } = thread;
    const body = { external_id, user_id, tags: [THREAD_TAG] };
    const { id, ...conversation } = await this.#client.conversations.create(body);
    if (conversation.user_id !== user_id) throw new Error(`Thread ${external_id} has another resourceId`);
    const metadata = threadMetadata(thread, conversation.last_sequence);
    await this.#client.conversations.update(id, { title, metadata });
    return thread;
  }

  /** Adds to the metadata. @throws {Error} when there is no such thread. */
  async updateThread(args: {
    id: string;
    title?: string;
    metadata?: Record<string, unknown>;
  }): Promise<StorageThreadType> {
    const found = await this.#thread(args.id).find();
    if (found === undefined) throw new Error(`Thread ${args.id} not found`);
    const thread = toThread(found);
    const changed = { ...thread, metadata: { ...thread.metadata, ...args.metadata }, updatedAt: new Date() };
    const metadata = threadMetadata(changed, found.last_sequence);
    // A title that is not named stays, whoever gives one meanwhile.
    return toThread(await this.#client.conversations.update(found.id, { metadata, title: args.title }));
  }

  async deleteThread({ threadId }: { threadId: string }): Promise<void> {
    await this.#thread(threadId).delete();
  }

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

  async listMessages(args: StorageListMessagesInput): Promise<StorageListMessagesOutput> {
    const { resourceId, include = [], filter, perPage = MESSAGES_PER_PAGE, page = 0, orderBy } = args;
    const threadIds = [args.threadId].flat();
    if (!threadIds.some((id) => id.trim())) throw new Error("threadId is missing");
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
    return { messages: inOrder(messages, "createdAt", direction), ...shown };
  }

  async listMessagesById({ messageIds }: { messageIds: string[] }): Promise<{ messages: MastraDBMessage[] }> {
    const messages = (await this.#threadsWith(messageIds)).flatMap(toMastraMessages);
    return { messages: messages.filter(({ id }) => messageIds.includes(id)) };
  }

  /**
   * Adds messages to their threads; one whose id a thread has already takes that one's place.
   *
   * @throws {ApiError} `validation_failed` for one without `threadId`.
   */
  async saveMessages(args: { messages: MastraDBMessage[] }): Promise<{ messages: MastraDBMessage[] }> {
    for (const threadId of new Set(args.messages.map((message) => message.threadId))) {
      const messages = args.messages.filter((message) => message.threadId === threadId);
      const thread = this.#thread(threadId ?? "", messages[0]?.resourceId);
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
    const { messages } = await this.listMessagesById({ messageIds: [...byId.keys()] });
    return (await this.saveMessages({ messages: messages.map((one) => withUpdate(one, byId.get(one.id))) }))
      .messages;
  }

  override async deleteMessages(messageIds: string[]): Promise<void> {
    for (const stored of await this.#threadsWith(messageIds)) {
      for (const { conversation_id, id, external_id } of stored) {
        if (messageIds.includes(external_id ?? "")) await this.#client.messages.delete(conversation_id, id);
      }
    }
  }

  override async getResourceById({
    resourceId,
  }: {
    resourceId: string;
  }): Promise<StorageResourceType | null> {
    return toResource(await this.#resource(resourceId).messages());
  }

  override async saveResource({ resource }: { resource: StorageResourceType }): Promise<StorageResourceType> {
    await this.#resource(resource.id).rewrite(() => [toResourceMessage(resource)]);
    return resource;
  }

  override async updateResource(args: {
    resourceId: string;
    workingMemory?: string;
    metadata?: Record<string, unknown>;
  }): Promise<StorageResourceType> {
    const { resourceId: id, workingMemory, metadata } = args;
    const before = await this.getResourceById(args);
    const updatedAt = new Date();
    return this.saveResource({
      resource: {
        ...{ id, createdAt: updatedAt, ...before, updatedAt },
        workingMemory: workingMemory ?? before?.workingMemory,
        metadata: { ...before?.metadata, ...metadata },
      },
    });
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

/** Stored messages with those of `saved` in the place of the ones with their ids, and the others behind. */
function merged(stored: Message[], saved: NewMessage[]): NewMessage[] {
  const byId = new Map(stored.map((message) => [message.external_id ?? message.id, toSameMessage(message)]));
  for (const message of saved) byId.set(message.external_id ?? "", message);
  return [...byId.values()];
}

function withUpdate(message: MastraDBMessage, update?: MessageUpdate): MastraDBMessage {
  const metadata = { ...message.content.metadata, ...update?.content?.metadata };
  const content = { ...message.content, ...update?.content, metadata };
  return { ...message, ...update, content };
}

/** By time; of one moment in the order that they have, or in the reverse of it. */
function inOrder<Field extends string, Item extends Record<Field, Date>>(
  items: Item[],
  field: Field,
  direction: "ASC" | "DESC",
): Item[] {
  const rising = [...items].sort((a, b) => Number(a[field]) - Number(b[field]));
  return direction === "ASC" ? rising : rising.reverse();
}
