import { Register, Write } from "./write.ts";

/** What clients know of an organization. */
export interface OrganizationModel {
  id: string;
  /** Keys that its clients hold. */
  keys: KeyModel[];
  /** Keys that were revoked. */
  formerKeys: KeyModel[];
  conversations: ConversationModel[];
  memories: MemoryModel[];
  /** A key that is bound to an agent. */
  agentKey: KeyModel;
  memoryWipes: WipeModel<MemoryModel>[];
  conversationWipes: WipeModel<ConversationModel>[];
  deletions: OrganizationDeletion[];
}

/** A deletion of an organization, which can be called off until its last row is gone. */
export interface OrganizationDeletion {
  write: Write;
  restoration: Write | null;
}

/** A deletion of many by what they have: done once all of them are hidden. */
export interface WipeModel<Kept> {
  write: Write;
  covers: (kept: Kept) => boolean;
  /** The step by which it was known which memories it is for; later ones are spared. */
  counted: number;
}

export interface KeyModel {
  id: string;
  secret: string;
  revocations: { write: Write }[];
}

export interface ConversationModel {
  organization: OrganizationModel;
  /** Stands in its metadata: what was sent is known by it wherever it turns up. A fork is known by its name. */
  marker: number;
  /** Of an imported one: done once no repeat can bring it back any more. Until then only its importer names it. */
  landing: Write | null;
  /** What stands in its metadata: of a fork the marker of the first that it goes back to. */
  rootMarker: number;
  /** Null where it was created empty. */
  origin: Origin | null;
  externalId: string | null;
  /** Null until an answer named it. */
  id: string | null;
  creation: Write;
  deletions: Write[];
  /** Deletions of its organization that were called off: it was hidden before, or is whole; nobody knows until it is asked for. */
  perils: Write[];
  /** Undefined stands for whatever a fork's original was called. */
  title: Register<string | null | undefined>;
  messages: MessageModel[];
  /** Highest sequence number that anybody was told of. */
  lastSequence: number;
  /** Versions that updates were answered with. */
  versions: Set<number>;
}

/** Where a fork comes from. */
export interface Origin {
  source: ConversationModel;
  /** Null for all there was. */
  toSequence: number | null;
  /** Whether the fork is known to be there, so that it is known what it may hold. */
  isTaken: boolean;
}

/** A message as it was sent, whole. */
export interface SentMessage {
  role: string;
  content: string;
  metadata: { marker: number };
  name?: string;
  external_id?: string;
  created_at?: string;
  parts?: unknown;
  tool_call_id?: string;
}

export interface MessageModel {
  conversation: ConversationModel;
  marker: number;
  sent: SentMessage;
  appends: Write[];
  /** Null until an answer named it. */
  id: string | null;
  sequence: number | null;
  content: Register<string>;
  deletions: Write[];
}

/** A memory as it was captured. */
export interface SentMemory {
  content: string;
  metadata: { marker: number };
  agent_id?: string;
  kind?: string;
  source?: string;
  tags?: string[];
  summary?: string;
  created_at?: string;
}

/** What one capture makes, unless its content is there already. */
export interface MemoryModel {
  organization: OrganizationModel;
  marker: number;
  /** As of a conversation. */
  landing: Write | null;
  sent: SentMemory;
  /** Null until an answer named it. */
  id: string | null;
  creation: Write;
  deletions: Write[];
  /** As of a conversation. */
  perils: Write[];
  content: Register<string>;
  /** As people gave them; undefined where nobody did, and a model may. */
  tags: Register<string[] | undefined>;
  summary: Register<string | null | undefined>;
  /** The step from which on people are known to have given both, and no model either. */
  ownSince: number;
  /** Version that somebody was told of last. */
  version: number;
  /** Versions that updates were answered with. */
  versions: Set<number>;
}

export type ReceiptType =
  | "delete_message"
  | "delete_conversation"
  | "delete_conversations"
  | "delete_memory"
  | "delete_memories"
  | "delete_organization"
  | "enrich_memories"
  | "repair_index";

/** An acknowledged operation, a deletion's with its receipt. */
export interface ReceiptModel {
  organization: OrganizationModel;
  operationId: string;
  type: ReceiptType;
  targetId: string;
  /** What a deletion by filter finds. */
  foundIds: string[];
}

/** An import of many requests. */
export interface ImportModel {
  organization: OrganizationModel;
  operationId: string;
  /** How many lines were announced; null when nobody did. */
  announced: number | null;
  lines: ImportedLine[];
  /** How many lines were sent so far, from the first on, and how many were acknowledged. */
  sentTo: number;
  doneTo: number;
  /** Whether the part that ends it was sent. */
  isLastSent: boolean;
  cancel: Write | null;
}

/** A line of an import, and the message under which it is stored; none is stored for a conversation. */
export interface ImportedLine {
  line: object;
  kind: "conversation" | "message" | "memory";
  messageId: string | null;
  creation: Write;
}

/** All that was asked for and all that was answered in one run. */
export class Model {
  readonly organizations: OrganizationModel[] = [];
  readonly conversations = new Map<number, ConversationModel>();
  /** By marker, the original first; forks hold copies of it. */
  readonly messages = new Map<number, MessageModel[]>();
  readonly memories = new Map<number, MemoryModel>();
  readonly receipts: ReceiptModel[] = [];
  readonly imports: ImportModel[] = [];
  #markers = 0;

  nextMarker(): number {
    this.#markers += 1;
    return this.#markers;
  }

  addConversation(
    organization: OrganizationModel,
    marker: number,
    given: {
      externalId: string | null;
      title: string | null | undefined;
      step: number;
      origin?: Pick<Origin, "source" | "toSequence">;
    },
  ): ConversationModel {
    const creation = new Write(given.step);
    const title = new Register<string | null | undefined>();
    title.add(given.title, creation);
    const conversation: ConversationModel = {
      organization,
      marker,
      landing: null,
      rootMarker: given.origin?.source.rootMarker ?? marker,
      origin: given.origin === undefined ? null : { ...given.origin, isTaken: false },
      externalId: given.externalId,
      id: null,
      creation,
      deletions: [],
      perils: [],
      title,
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
    const alike = this.messages.get(message.marker);
    if (alike === undefined) this.messages.set(message.marker, [message]);
    else alike.push(message);
    return message;
  }

  /** A message, or the copy of it that a fork has; undefined when the conversation was never to hold it. */
  messageIn(conversationId: string, marker: number | undefined): MessageModel | undefined {
    return this.messages.get(marker ?? 0)?.find(({ conversation }) => conversation.id === conversationId);
  }

  /** The conversation that an answer shows; undefined when nobody asked for it. */
  conversationShown(shown: {
    id: string;
    external_id: string | null;
    title: string | null;
    metadata?: { marker?: number };
  }): ConversationModel | undefined {
    for (const known of this.conversations.values()) if (known.id === shown.id) return known;
    // Until a fork is known by its id, nobody has called it otherwise.
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
      perils: [],
      content: new Register<string>(),
      tags: new Register<string[] | undefined>(),
      summary: new Register<string | null | undefined>(),
      ownSince: Number.POSITIVE_INFINITY,
      version: 0,
      versions: new Set(),
    };
    memory.content.add(sent.content, creation);
    memory.tags.add(sent.tags, creation);
    memory.summary.add(sent.summary, creation);
    organization.memories.push(memory);
    this.memories.set(marker, memory);
    return memory;
  }
}
