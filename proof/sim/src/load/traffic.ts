import { expect } from "../violation.ts";
import { ADMIN_TOKEN, type Answer, type World } from "../world.ts";
import type { Load } from "./loads.ts";

/** Of each conversation, this number of the newest messages can be deleted. */
const RECENT_MESSAGES = 20;
const WORDS = Array.from({ length: 2_000 }, (_, i) => `word${i.toString(36)}`);

interface Conversation {
  id: string;
  secret: string;
  messageIds: string[];
}

/** Clients that append and delete at a constant rate. */
export class Traffic {
  readonly #world: World;
  readonly #load: Load;
  /** Keys of the organizations. */
  readonly #secrets: string[] = [];
  /** Conversations, created with their first append. */
  readonly #conversations = new Map<number, Promise<Conversation>>();
  readonly counts = { appends: 0, deletedMessages: 0, deletedConversations: 0 };

  constructor(world: World, load: Load) {
    this.#world = world;
    this.#load = load;
  }

  async createOrganizations(): Promise<void> {
    for (let i = 0; i < this.#load.organizations; i++) {
      const { body } = await this.#send("POST", "/v1/organizations", ADMIN_TOKEN, { name: `load ${i}` });
      this.#secrets.push(body.key.secret);
    }
  }

  /** Appends at the rate of the load until `isOver` returns true. */
  start(isOver: () => boolean): void {
    const { clock, random } = this.#world;
    const { appendsPerSecond, messageDeletions, conversationDeletions } = this.#load;
    const startMs = clock.nowMs();
    let sent = 0;
    const sendNext = () => {
      if (isOver()) return;
      sent += 1;
      void this.#world.start(() => this.#append());
      if (random.chance(messageDeletions)) void this.#world.start(() => this.#deleteMessage());
      if (random.chance(conversationDeletions)) void this.#world.start(() => this.#deleteConversation());
      const nextMs = startMs + (sent * 1_000) / appendsPerSecond;
      clock.schedule(nextMs - clock.nowMs(), sendNext);
    };
    sendNext();
  }

  async #append(): Promise<void> {
    const { random } = this.#world;
    const conversation = await this.#pick();
    const content = Array.from({ length: random.between(5, 30) }, () => random.pick(WORDS)).join(" ");
    const role = random.pick(["user", "assistant"]);
    const path = `/v1/conversations/${conversation.id}/messages`;
    const body = { messages: [{ role, content }] };
    const answer = await this.#send("POST", path, conversation.secret, body);
    if (answer.status === 404) return;
    conversation.messageIds.push(...answer.body.message_ids);
    if (conversation.messageIds.length > RECENT_MESSAGES) conversation.messageIds.shift();
    this.counts.appends += 1;
  }

  async #deleteMessage(): Promise<void> {
    const { id, secret, messageIds } = await this.#pick();
    const [messageId] = messageIds.splice(
      this.#world.random.between(0, Math.max(0, messageIds.length - 1)),
      1,
    );
    if (messageId === undefined) return;
    await this.#send("DELETE", `/v1/conversations/${id}/messages/${messageId}`, secret);
    this.counts.deletedMessages += 1;
  }

  /** Deletes a conversation. A new one replaces it. */
  async #deleteConversation(): Promise<void> {
    const place = this.#pickPlace();
    const conversation = this.#conversations.get(place);
    if (conversation === undefined) return;
    this.#conversations.delete(place);
    const { id, secret } = await conversation;
    await this.#send("DELETE", `/v1/conversations/${id}`, secret);
    this.counts.deletedConversations += 1;
  }

  /** A tenth of the conversations gets a third of the messages. */
  #pickPlace(): number {
    const fraction = this.#world.random.between(0, 999_999) / 1_000_000;
    return Math.floor(fraction ** 2 * this.#load.conversations);
  }

  #pick(): Promise<Conversation> {
    const place = this.#pickPlace();
    const conversation = this.#conversations.get(place) ?? this.#create(place);
    this.#conversations.set(place, conversation);
    return conversation;
  }

  async #create(place: number): Promise<Conversation> {
    const secret = this.#secrets[place % this.#secrets.length] ?? "";
    const { body } = await this.#send("POST", "/v1/conversations", secret, {});
    return { id: body.id, secret, messageIds: [] };
  }

  /** A request that succeeds, unless its conversation was deleted at the same time. */
  async #send(method: string, path: string, secret: string, body?: unknown): Promise<Answer> {
    const headers = { authorization: `Bearer ${secret}` };
    const request = { name: `${method} ${path}`, method, path, headers };
    const { answer } = await this.#world.send(body === undefined ? request : { ...request, body }, false);
    expect(
      answer !== null && (answer.status < 300 || answer.status === 404),
      "answers",
      () => `${request.name} answers ${answer?.status} ${JSON.stringify(answer?.body)}`,
    );
    return answer;
  }
}
