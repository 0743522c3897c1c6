import type { Message } from "@engram/sdk";
import { engram } from "./session.ts";

/** Messages that one request asks for. */
const BLOCK = 50;

/** Indexes of consecutive messages that the conversation does not have. `end` is not one of them. */
export interface Gap {
  start: number;
  end: number;
}

/** The loaded messages of a conversation, in blocks of consecutive sequences. The index of a message is its sequence - 1. */
export class MessageBlocks {
  readonly #conversationId: string;
  readonly #loading = new Set<number>();
  /** Blocks that are shown, but have to be loaded again. */
  readonly #stale = new Set<number>();
  readonly #blocks = new Map<number, Map<number, Message>>();
  /** How often messages were noted as changed. */
  #changes = 0;

  constructor(conversationId: string) {
    this.#conversationId = conversationId;
  }

  /** Blocks of a range of indexes that have to be loaded and are not on their way. */
  missing(start: number, end: number): number[] {
    const first = Math.floor(start / BLOCK);
    const count = Math.ceil(end / BLOCK) - first;
    return Array.from({ length: Math.max(0, count) }, (_, i) => first + i).filter(
      (block) => (!this.#blocks.has(block) || this.#stale.has(block)) && !this.#loading.has(block),
    );
  }

  /**
   * Loads a block. The request asks for a number of messages, not for a range, so that it also loads the blocks that a
   * gap leaves empty.
   *
   * @param last The last sequence of the conversation.
   */
  async load(block: number, last: number): Promise<void> {
    this.#loading.add(block);
    this.#stale.delete(block);
    const changes = this.#changes;
    try {
      const messages = await engram()
        .messages.list(this.#conversationId, { from_sequence: block * BLOCK + 1, limit: BLOCK })
        .toArray({ max: BLOCK });
      const known = messages.length < BLOCK ? last : (messages.at(-1)?.sequence ?? last);
      const end = messages.length < BLOCK ? Math.ceil(known / BLOCK) : Math.floor(known / BLOCK);
      // The messages of the other blocks may be older than a change that was noted meanwhile.
      const count = changes === this.#changes ? Math.max(1, end - block) : 1;
      for (let each = block; each < block + count; each++) {
        this.#blocks.set(each, new Map());
        if (each !== block) this.#stale.delete(each);
      }
      for (const message of messages)
        this.#blockAt(message.sequence - 1, block + count)?.set(message.sequence, message);
    } finally {
      this.#loading.delete(block);
    }
  }

  #blockAt(index: number, end: number): Map<number, Message> | undefined {
    const block = Math.floor(index / BLOCK);
    return block < end ? this.#blocks.get(block) : undefined;
  }

  /** Notes that messages of a range of indexes changed. */
  expire(start: number, end: number): void {
    this.#changes += 1;
    for (const block of [...this.#blocks.keys(), ...this.#loading]) {
      if ((block + 1) * BLOCK > start && block * BLOCK < end) this.#stale.add(block);
    }
  }

  /** Undefined while it is not loaded. Null if the conversation has no such message. */
  at(index: number): Message | null | undefined {
    const block = this.#blocks.get(Math.floor(index / BLOCK));
    return block === undefined ? undefined : (block.get(index + 1) ?? null);
  }

  /** The gap around an index, as far as it is loaded. Undefined if there is a message, or nothing is loaded. */
  gapAt(index: number, last: number): Gap | undefined {
    if (this.at(index) !== null) return undefined;
    let [start, end] = [index, index + 1];
    while (start > 0 && this.at(start - 1) === null) start -= 1;
    while (end < last && this.at(end) === null) end += 1;
    return { start, end };
  }
}
