import type { Message } from "@engram/sdk";
import type { Gap, MessageBlocks } from "./message-blocks.ts";
import { toolCallsOf } from "./tool-calls.ts";

/** Messages after a tool call among which its results are looked for. */
const REACH = 50;

type Blocks = Pick<MessageBlocks, "at" | "gapAt">;

/**
 * Which messages of a conversation share a row of the list: the results of a tool are shown with the call, in its row.
 * All methods speak of what is loaded.
 */
export class ChatRows {
  readonly #blocks: Blocks;
  readonly #last: number;

  /** @param last The last sequence of the conversation. */
  constructor(blocks: Blocks, last: number) {
    this.#blocks = blocks;
    this.#last = last;
  }

  /** The results of the tool calls of the message at `index`, in their order. */
  resultsOf(index: number): Message[] {
    const calls = this.#blocks.at(index);
    if (!calls || toolCallsOf(calls).length === 0) return [];
    const results: Message[] = [];
    for (let at = index + 1; at <= Math.min(index + REACH, this.#last - 1); at++) {
      const message = this.#blocks.at(at);
      if (message?.role === "tool" && this.callOf(at) === index) results.push(message);
    }
    return results;
  }

  /** Index of the message whose tool call the message at `index` answers. Undefined if there is none. */
  callOf(index: number): number | undefined {
    const result = this.#blocks.at(index);
    if (result?.role !== "tool" || result.tool_call_id === null) return undefined;
    for (let at = index - 1; at >= Math.max(0, index - REACH); at--) {
      const message = this.#blocks.at(at);
      if (message && toolCallsOf(message).some(({ id }) => id === result.tool_call_id)) return at;
    }
    return undefined;
  }

  /**
   * The run of messages around `index` of which only the first has a row: a gap or a message, with the results after it
   * that are shown with their calls. Undefined if it is a message alone.
   */
  runAt(index: number): Gap | undefined {
    let start = index;
    while (start > 0 && this.callOf(start) !== undefined) start -= 1;
    const gap = this.#blocks.gapAt(start, this.#last);
    let end = Math.max(index + 1, gap?.end ?? 0);
    while (end < this.#last && this.callOf(end) !== undefined) end += 1;
    if (gap === undefined && end - start === 1) return undefined;
    return { start: gap?.start ?? start, end };
  }

  /** The index whose row shows the message at `index`. */
  rowOf(index: number): number {
    return this.callOf(index) ?? this.runAt(index)?.start ?? index;
  }

  /** The message of the row before the one at `index`. Undefined if it is not loaded, null if there is none. */
  before(index: number): Message | null | undefined {
    if (index === 0) return null;
    return this.#blocks.at(this.runAt(index - 1)?.start ?? index - 1);
  }
}
