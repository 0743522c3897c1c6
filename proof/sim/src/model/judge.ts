import type { Conversation, Message } from "@engram/spec";
import { expect } from "../violation.ts";
import { takeCopies } from "./forks.ts";
import type { ConversationModel, MessageModel, Model, OrganizationModel } from "./model.ts";
import { mayShow, mayShowMessage, mustShow, mustShowMessage, possibleContents } from "./presence.ts";
import { noteMissed, noteSeen } from "./restorations.ts";
import type { Span } from "./write.ts";

/** A message in a response. */
export type AnsweredMessage = Marked<Message>;
/** A conversation in a response. */
export type AnsweredConversation = Marked<Conversation>;
export type Marked<Item> = Omit<Item, "metadata"> & { metadata: { marker?: number } };

/** What the service sets, and the content, which clients change. */
const SET_ON_MESSAGES = [
  ...["id", "conversation_id", "sequence", "content", "stored_at", "updated_at", "edited_since"],
];
/** What the service sets, and the title and whether it is shared, which clients change. */
const SET_ON_CONVERSATIONS = [
  "id",
  "title",
  "shared",
  "message_count",
  "last_sequence",
  "last_message_at",
  "updated_at",
  "expires_at",
];

export class Judge {
  readonly #model: Model;
  readonly #organization: OrganizationModel;

  constructor(model: Model, organization: OrganizationModel) {
    this.#model = model;
    this.#organization = organization;
  }

  /** Checks a conversation in a response. @throws {Violation} */
  conversation(shown: AnsweredConversation, span: Span): ConversationModel {
    const known = this.place(shown, span);
    const expiresAt = known.origin === null ? (known.sent.expires_at ?? null) : null;
    expect(shown.expires_at === expiresAt, "verbatim", () => `${shown.id} expires at ${shown.expires_at}`);
    known.lastSequence = Math.max(known.lastSequence, shown.last_sequence);
    return known;
  }

  /** Checks the conversation of a search result. @throws {Violation} */
  place(
    shown: Pick<AnsweredConversation, "id" | "external_id" | "title"> & Partial<AnsweredConversation>,
    span: Span,
  ): ConversationModel {
    const known = this.#model.conversationShown(shown);
    expect(known !== undefined, "verbatim", () => `never created: ${JSON.stringify(shown)}`);
    expect(known.organization === this.#organization, "isolation", () => `${shown.id} is another's`);
    expect(mayShow(known, span), "deleted", () => `${shown.id} is shown`);
    noteSeen(known, span);
    known.id ??= shown.id;
    known.creation.done = Math.min(known.creation.done, span.end);
    takeCopies(this.#model, known);
    expect(known.id === shown.id, "verbatim", () => `${known.id} is shown as ${shown.id}`);
    expect(
      possibleTitles(known, span).includes(shown.title) &&
        isAsSent(
          { tags: [], ...known.sent },
          { ...shown, metadata: shown.metadata ?? known.sent.metadata },
          SET_ON_CONVERSATIONS,
        ),
      "verbatim",
      () => `${shown.id} is shown as ${JSON.stringify(shown)}`,
    );
    expect(
      shown.shared === undefined || known.shared.possible(span).includes(shown.shared),
      "isolation",
      () => `${shown.id} is shown as shared: ${shown.shared}`,
    );
    return known;
  }

  /** Checks a message in a response. @throws {Violation} */
  message(shown: AnsweredMessage, span: Span): MessageModel {
    const known = this.#model.messageIn(shown.conversation_id, shown.metadata.marker);
    expect(known !== undefined, "verbatim", () => `never sent: ${JSON.stringify(shown)}`);
    const { conversation, sent } = known;
    expect(conversation.organization === this.#organization, "isolation", () => `${shown.id} is another's`);
    expect(mayShowMessage(known, span), "deleted", () => `${shown.id} is shown`);
    if (sent.external_id === undefined) {
      known.id ??= shown.id;
      known.sequence ??= shown.sequence;
      expect(
        known.id === shown.id && known.sequence === shown.sequence,
        "verbatim",
        () => `${known.id} at ${known.sequence} is shown as ${shown.id} at ${shown.sequence}`,
      );
    } else {
      known.id = shown.id;
      known.sequence = shown.sequence;
    }
    conversation.lastSequence = Math.max(conversation.lastSequence, shown.sequence);
    const [first] = known.content.writes;
    // If several requests sent the message, it is unknown which of them stored it and with which other
    // fields.
    if (first !== undefined && known.appends.length === 1)
      first.write.done = Math.min(first.write.done, span.end);
    expect(
      isAsSent(sent, shown, SET_ON_MESSAGES),
      "verbatim",
      () => `sent ${JSON.stringify(sent)}, got ${JSON.stringify(shown)}`,
    );
    expect(
      possibleContents(known, span).includes(shown.content),
      "verbatim",
      () => `${shown.id} holds ${JSON.stringify(shown.content)}`,
    );
    return known;
  }

  /**
   * Checks the messages that a conversation shows as of a moment: those that were stored then and not deleted since, as
   * they are today, each with a mark if it was edited since. @throws {Violation}
   */
  messagesAt(conversation: ConversationModel, shown: AnsweredMessage[], at: Span, span: Span): void {
    const messages = shown.map((message) => this.message(message, span));
    for (const [i, { appends, content, id }] of messages.entries()) {
      expect(
        appends.some(({ isRefused, sent }) => !isRefused && sent <= at.end),
        "moments",
        () => `${id} is shown as of a moment before it was sent`,
      );
      const edits = content.writes.slice(1).filter(({ write }) => !write.isRefused && write.sent <= span.end);
      const mayBe = edits.some(({ write }) => write.done > at.begin);
      const mustBe = edits.some(
        ({ value, write }) =>
          write.sent > at.end &&
          write.done <= span.begin &&
          content.writes.every((other) => other.write === write || other.value !== value),
      );
      expect(
        shown[i]?.edited_since === true ? mayBe : !mustBe,
        "moments",
        () => `${id} is shown with edited_since ${shown[i]?.edited_since}`,
      );
    }
    for (const message of conversation.messages) {
      const wasThere = message.appends.some(({ done }) => done <= at.begin) && message.deletions.length === 0;
      if (message.sequence === null || !wasThere || !mustShowMessage(message, span)) continue;
      expect(messages.includes(message), "moments", () => `${message.id} is missing as of a moment`);
    }
  }

  /** Checks messages that must be all of a conversation's within a range of sequences. @throws {Violation} */
  range(
    conversation: ConversationModel,
    shown: AnsweredMessage[],
    range: { from: number; to: number },
    span: Span,
  ): void {
    const messages = shown.map((message) => this.message(message, span));
    expect(
      messages.every((message) => message.conversation === conversation),
      "verbatim",
      () => `${conversation.id} shows messages of others`,
    );
    const sequences = shown.map(({ sequence }) => sequence);
    expect(
      sequences.every((sequence, i) => sequence > (sequences[i - 1] ?? 0)),
      "sequences",
      () => `${conversation.id} shows ${sequences}`,
    );
    for (const message of conversation.messages) {
      const { sequence } = message;
      if (sequence === null || sequence < range.from || sequence > range.to) continue;
      if (mustShowMessage(message, span)) {
        expect(messages.includes(message), "durable", () => `${message.id} is missing`);
      }
    }
  }

  /** Checks a list that must contain every conversation that existed throughout. @throws {Violation} */
  conversationList(shown: AnsweredConversation[], span: Span): void {
    const known = shown.map((one) => this.#model.conversationShown(one));
    expect(new Set(known).size === known.length, "lists", () => "a list shows a conversation twice");
    for (const conversation of this.#organization.conversations) {
      if (known.includes(conversation)) continue;
      const isMissed = mustShow(conversation, span);
      expect(!isMissed, "durable", () => `${conversation.id} is missing from the list`);
      if (conversation.creation.done <= span.begin) noteMissed(conversation, span);
    }
  }
}

/** Possible titles. A fork without a title of its own has one that its source had. */
export const possibleTitles = ({ origin, title }: ConversationModel, span: Span): (string | null)[] =>
  title.possible(span).flatMap((given) => (given === undefined ? titlesEver(origin?.source) : [given]));

const titlesEver = (conversation: ConversationModel | undefined): (string | null)[] =>
  conversation?.title.writes.flatMap(({ value }) =>
    value === undefined ? titlesEver(conversation.origin?.source) : [value],
  ) ?? [];

/**
 * Whether all fields of an item are as sent, except some. A field that was not sent is null, and `created_at` then any
 * time.
 */
export function isAsSent(
  sent: { created_at?: string | undefined },
  shown: object,
  except: readonly string[],
): boolean {
  const others = new Set([...except, ...(sent.created_at === undefined ? ["created_at"] : [])]);
  const fieldsOf = (item: object) =>
    JSON.stringify(
      Object.entries(item)
        .filter(([name, value]) => !others.has(name) && value !== undefined && value !== null)
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    );
  return fieldsOf(sent) === fieldsOf(shown);
}
