import type { CreateConversationBody, NewMemory, NewMessage, OperationOf, Place } from "@engram/spec";
import type { GrantModel } from "./grants.ts";
import type { HoldModel } from "./holds.ts";
import type { KeyModel } from "./keys.ts";
import { Register, Write } from "./write.ts";

export interface OrganizationModel {
  id: string;
  /** Where it was created, or has moved to. */
  place: Place;
  /** Whether it has ever begun to move. */
  hasMoved: boolean;
  keys: KeyModel[];
  formerKeys: KeyModel[];
  conversations: ConversationModel[];
  memories: MemoryModel[];
  agentKey: KeyModel;
  userKey: KeyModel;
  memoryWipes: WipeModel<MemoryModel>[];
  conversationWipes: WipeModel<ConversationModel>[];
  deletions: OrganizationDeletion[];
  forgets: ForgetModel[];
  recalls: RecallModel[];
  recallWipes: WipeModel<RecallModel>[];
  holds: HoldModel[];
  /** Whether it has legal holds and rules of retention. */
  hasCustodian: boolean;
  /** Also those that have ended. */
  grants: GrantModel[];
  /** Moments of the past, as of which clients read. */
  moments: Moment[];
}

/** What was acknowledged before the step was stored by the time, and what was requested after it was not. */
export interface Moment {
  step: number;
  atMs: number;
}

/** A receipt of recall. */
export interface RecallModel {
  organization: OrganizationModel;
  id: string;
  /** Ids of the items of the answer, in order. */
  items: string[];
  /** User of the request. */
  userId: string | undefined;
  /** Agent and user that the key was bound to. */
  agentId: string | undefined;
  boundUserId: string | undefined;
  creation: Write;
  deletions: Write[];
  hazards: Write[];
  landing: Write | null;
}

/** A move of an organization, as the operator knows it. */
export interface MoveModel {
  organization: OrganizationModel;
  id: string;
  place: Place;
  /** The last answer about it. */
  shown: OperationOf<"move_organization">;
  /** Whether its cancellation was acknowledged. */
  isCanceled: boolean;
}

/** A deletion that leaves a tombstone. */
export interface ForgetModel {
  write: Write;
  /** The user that it refuses; undefined if it refuses only what it deletes. */
  userId: string | undefined;
}

/** A deletion of an organization, which can be canceled until its last row is purged. */
export interface OrganizationDeletion {
  write: Write;
  restoration: Write | null;
}

/** A deletion by filter. Done once everything it found is soft-deleted. */
export interface WipeModel<Kept> {
  write: Write;
  covers: (kept: Kept) => boolean;
  /** The step by which its targets were counted. Later items are not deleted. */
  counted: number;
}

export interface ConversationModel {
  organization: OrganizationModel;
  /**
   * Unique number in its metadata, which identifies it in every response. A fork is identified by its name
   * instead.
   */
  marker: number;
  /** For an imported item: done once no repeat can restore it. Until then only its importer uses it. */
  landing: Write | null;
  /** All but its title. Of a fork, the metadata is that of the first conversation it descends from. */
  sent: SentConversation;
  /** Null unless it is a fork. */
  origin: Origin | null;
  /** Null until a response contained it. */
  id: string | null;
  creation: Write;
  deletions: Write[];
  /**
   * Canceled deletions of its organization. Until a read it is unknown whether each one removed the item
   * before its cancel.
   */
  hazards: Write[];
  /** Undefined means any title that a fork's source had. */
  title: Register<string | null | undefined>;
  /** Whether it is shared with all users. */
  shared: Register<boolean>;
  messages: MessageModel[];
  /** Highest sequence in any response. */
  lastSequence: number;
  /** Versions in responses to updates. */
  versions: Set<number>;
}

export interface Origin {
  source: ConversationModel;
  /** Null for all messages. */
  toSequence: number | null;
  /** Whether the fork is known to exist, so that its possible messages are recorded. */
  isTaken: boolean;
}

/** An item exactly as sent, with its unique number in its metadata. */
type Sent<Item> = Omit<Item, "metadata"> & { metadata: { marker: number } };
/** Only an imported one has a time. */
export type SentConversation = Sent<CreateConversationBody> & { created_at?: string | undefined };
export type SentMessage = Sent<NewMessage>;
export type SentMemory = Sent<Omit<NewMemory, "kind">> & Partial<Pick<NewMemory, "kind">>;

export interface MessageModel {
  conversation: ConversationModel;
  marker: number;
  sent: SentMessage;
  appends: Write[];
  /** Null until a response contained it. */
  id: string | null;
  sequence: number | null;
  content: Register<string>;
  deletions: Write[];
}

/** The memory of one capture, unless its content already existed. */
export interface MemoryModel {
  organization: OrganizationModel;
  marker: number;
  /** As for a conversation. */
  landing: Write | null;
  sent: SentMemory;
  /** Null until a response contained it. */
  id: string | null;
  creation: Write;
  deletions: Write[];
  /** As for a conversation. */
  hazards: Write[];
  content: Register<string>;
  /** As for a conversation. */
  shared: Register<boolean>;
  /** Given by people; undefined where none were given and a model may add them. */
  tags: Register<string[] | undefined>;
  summary: Register<string | null | undefined>;
  /** The memory that superseded it last. Each ended it at its own `valid_from`, or left an earlier end. */
  successor: Register<MemoryModel | null>;
  /** The step from which people are known to have set both fields, so that no model may. */
  authoredSince: number;
  /** Version in the last response. */
  version: number;
  /** Versions in responses to updates. */
  versions: Set<number>;
}

export type ReceiptType =
  | "delete_message"
  | "delete_conversation"
  | "delete_conversations"
  | "delete_memory"
  | "delete_memories"
  | "delete_user"
  | "delete_organization"
  | "enrich_memories"
  | "repair_index";

/** An acknowledged operation; a deletion has its receipt. */
export interface ReceiptModel {
  organization: OrganizationModel;
  operationId: string;
  type: ReceiptType;
  targetId: string;
  /** Ids that a deletion by filter found. */
  foundIds: string[];
}

export interface ImportModel {
  organization: OrganizationModel;
  operationId: string;
  /** The announced number of lines; null when none was announced. */
  announced: number | null;
  lines: ImportedLine[];
  /** Number of lines sent so far, from the first, and of lines acknowledged. */
  sentTo: number;
  acknowledgedTo: number;
  isLastSent: boolean;
  cancel: Write | null;
}

/** A line of an import and the id of its stored message; null for a conversation. */
export interface ImportedLine {
  line: object;
  kind: "conversation" | "message" | "memory";
  messageId: string | null;
  creation: Write;
}

/** All requests and responses of one run. */
export class Model {
  readonly organizations: OrganizationModel[] = [];
  readonly conversations = new Map<number, ConversationModel>();
  /** By marker: the original first, then its copies in forks. */
  readonly messages = new Map<number, MessageModel[]>();
  readonly memories = new Map<number, MemoryModel>();
  readonly receipts: ReceiptModel[] = [];
  readonly imports: ImportModel[] = [];
  readonly moves: MoveModel[] = [];
  /** The grant of each answered request with an access token, by the id of the request. */
  readonly programRequests = new Map<string, GrantModel>();
  #markers = 0;

  nextMarker(): number {
    this.#markers += 1;
    return this.#markers;
  }

  addConversation(
    organization: OrganizationModel,
    marker: number,
    fields: {
      sent: SentConversation;
      title: string | null | undefined;
      step: number;
      origin?: Pick<Origin, "source" | "toSequence">;
    },
  ): ConversationModel {
    const creation = new Write(fields.step);
    const title = new Register<string | null | undefined>();
    title.add(fields.title, creation);
    const shared = new Register<boolean>();
    // A fork is shared if its source was when it was copied.
    const sharedEver = fields.origin?.source.shared.writes.map(({ value }) => value);
    for (const value of new Set(sharedEver ?? [fields.sent.shared ?? false])) shared.add(value, creation);
    const conversation: ConversationModel = {
      organization,
      marker,
      landing: null,
      sent: fields.sent,
      origin: fields.origin === undefined ? null : { ...fields.origin, isTaken: false },
      id: null,
      creation,
      deletions: [],
      hazards: [],
      title,
      shared,
      messages: [],
      lastSequence: 0,
      versions: new Set(),
    };
    organization.conversations.push(conversation);
    this.conversations.set(marker, conversation);
    return conversation;
  }

  addMessage(conversation: ConversationModel, sent: SentMessage): MessageModel {
    const message: MessageModel = {
      conversation,
      marker: sent.metadata.marker,
      sent,
      appends: [],
      id: null,
      sequence: null,
      content: new Register<string>(),
      deletions: [],
    };
    conversation.messages.push(message);
    const copies = this.messages.get(message.marker);
    if (copies === undefined) this.messages.set(message.marker, [message]);
    else copies.push(message);
    return message;
  }

  /** The message, or a fork's copy of it; undefined when this conversation cannot contain it. */
  messageIn(conversationId: string, marker: number | undefined): MessageModel | undefined {
    return this.messages.get(marker ?? 0)?.find(({ conversation }) => conversation.id === conversationId);
  }

  /** The conversation in a response; undefined when no client created it. */
  conversationShown(shown: {
    id: string;
    external_id: string | null;
    title: string | null;
    metadata?: { marker?: number };
  }): ConversationModel | undefined {
    for (const known of this.conversations.values()) if (known.id === shown.id) return known;
    // No client renames a fork before its id is known.
    const name = /^fork-(\d+)$/.exec(shown.external_id ?? "") ?? /^fork (\d+)$/.exec(shown.title ?? "");
    return this.conversations.get(Number(name?.[1] ?? shown.metadata?.marker ?? 0));
  }

  addMemory(organization: OrganizationModel, sent: SentMemory, step: number): MemoryModel {
    const creation = new Write(step);
    const { marker } = sent.metadata;
    const memory: MemoryModel = {
      organization,
      marker,
      landing: null,
      sent,
      id: null,
      creation,
      deletions: [],
      hazards: [],
      content: new Register<string>(),
      shared: new Register<boolean>(),
      tags: new Register<string[] | undefined>(),
      summary: new Register<string | null | undefined>(),
      successor: new Register<MemoryModel | null>(),
      authoredSince: Number.POSITIVE_INFINITY,
      version: 0,
      versions: new Set(),
    };
    memory.content.add(sent.content, creation);
    memory.shared.add(sent.shared ?? false, creation);
    memory.tags.add(sent.tags, creation);
    memory.summary.add(sent.summary, creation);
    memory.successor.add(null, creation);
    organization.memories.push(memory);
    this.memories.set(marker, memory);
    return memory;
  }
}
