import type { Corpus } from "@engram/spec";
import { WINDOW_MESSAGES, WINDOW_STRIDE } from "../jobs/window-size.ts";
import { toChunkId } from "../platform/chunk-ids.ts";
import type { Pace, Steps } from "../text/pace.ts";
import type { IndexedMessage } from "./chunks-queries.ts";
import { partsOfMemory } from "./memory-chunks.ts";
import type { NoteChunk } from "./note-chunks.ts";
import { packUnits, splitText, type Unit } from "./split-text.ts";

/** Where a chunk is in the text of a memory, and its index among the chunks, from 0. */
export interface ChunkPosition extends NoteChunk {
  ordinal: number;
}

/**
 * A text with one vector: a window of neighboring messages, a part of a window that is too long for the model,
 * or a part of a memory.
 */
export interface Chunk {
  id: string;
  windowStart: number;
  startSequence: number;
  endSequence: number;
  /** The highest sequence number that a message of this chunk can have, once further messages have joined it. */
  lastSequence: number;
  /** Its text: a unit for each message, or part of a message. */
  units: Unit[];
  /** Position in a memory; null for messages. */
  position: ChunkPosition | null;
}

export const textOf = (units: Unit[]): string => units.map(({ text }) => text).join("\n");

/** Start of the first window that contains a sequence number. */
export function firstWindowOf(sequence: number): number {
  return windowAtOrBefore(Math.max(1, sequence - WINDOW_MESSAGES + WINDOW_STRIDE));
}

/** Start of the last window that contains a sequence number. */
export const lastWindowOf = (sequence: number): number => windowAtOrBefore(sequence);

/** Start of the last window that ends before a sequence number. */
export const lastWindowBefore = (sequence: number): number => windowAtOrBefore(sequence - WINDOW_MESSAGES);

/**
 * Starts of all windows that contain one of the messages, ascending and without repeats. The messages must be in
 * order.
 */
export function windowsOf(messages: Pick<IndexedMessage, "sequence">[]): number[] {
  const windows = new Set<number>();
  for (const { sequence } of messages) {
    const last = lastWindowOf(sequence);
    for (let window = firstWindowOf(sequence); window <= last; window += WINDOW_STRIDE) windows.add(window);
  }
  return [...windows];
}

const windowAtOrBefore = (sequence: number): number =>
  Math.floor((sequence - 1) / WINDOW_STRIDE) * WINDOW_STRIDE + 1;

/**
 * The last sequence number in a complete window, whose messages were all appended; 0 if no window is complete.
 *
 * @param lastSequence of the conversation.
 */
export const lastCompleteSequence = (lastSequence: number): number =>
  lastSequence < WINDOW_MESSAGES
    ? 0
    : windowAtOrBefore(lastSequence - WINDOW_MESSAGES + 1) + WINDOW_MESSAGES - 1;

/**
 * The messages of the window with this start. Empty if the window before it contains all of them.
 *
 * Windows cover fixed sequence numbers (1–5, 4–8, 7–11, …), independent of how messages were appended, so the
 * same messages always give the same windows. A gap left by a deletion shifts no window.
 */
export function messagesOfWindow(messages: IndexedMessage[], windowStart: number): IndexedMessage[] {
  const inside = messages.filter(
    ({ sequence }) => sequence >= windowStart && sequence < windowStart + WINDOW_MESSAGES,
  );
  const overlapEnd = windowStart + WINDOW_MESSAGES - WINDOW_STRIDE;
  const adds = windowStart === 1 || inside.some(({ sequence }) => sequence >= overlapEnd);
  return adds ? inside : [];
}

/**
 * The chunks of one window. A window of short messages is one chunk, or several if its text exceeds `tokensMax`. A
 * long message, and a memory, have chunks of their own.
 *
 * A chunk's id depends only on its organization, conversation, model and window, its place in the window, and which
 * messages of the window were deleted.
 *
 * @param input.lastSequence the last sequence number that was assigned in the conversation.
 */
export async function chunksOfWindow(
  input: {
    organizationId: string;
    conversationId: string;
    corpus: Corpus;
    model: string;
    windowStart: number;
    lastSequence: number;
    tokensMax: number;
  },
  messages: IndexedMessage[],
  pace: Pace,
): Promise<Chunk[]> {
  const { windowStart } = input;
  const windowEnd = windowStart + WINDOW_MESSAGES - 1;
  const missing = missingIn(windowStart, Math.min(windowEnd, input.lastSequence), messages);
  const parts = await pace.run(partsOfWindow(input, messages));
  return Promise.all(
    parts.map(async ({ units, isOpen }, part) => {
      const sequences = units.map(({ sequence }) => sequence);
      const [startSequence, endSequence] = [Math.min(...sequences), Math.max(...sequences)];
      const closedAt = isOpen ? null : endSequence;
      return {
        id: await toChunkId({ ...input, part, startSequence, closedAt, missing }),
        windowStart,
        startSequence,
        endSequence,
        lastSequence: closedAt ?? windowEnd,
        units,
        position: units[0]?.position ? { ordinal: part, ...units[0].position } : null,
      };
    }),
  );
}

/** The sequence numbers of a range that no message has. */
function missingIn(from: number, to: number, messages: IndexedMessage[]): number[] {
  const present = new Set(messages.map(({ sequence }) => sequence));
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i).filter(
    (sequence) => !present.has(sequence),
  );
}

interface Part {
  units: Unit[];
  /** Whether the next message that is appended can join it. */
  isOpen: boolean;
}

const closed = (units: Unit[]): Part => ({ units, isOpen: false });

/**
 * The units of a window, divided into chunks. A long message has chunks of its own, so that its vector is about the
 * message alone, and so are those of the short ones between long ones.
 */
function* partsOfWindow(
  { corpus, tokensMax }: { corpus: Corpus; tokensMax: number },
  messages: IndexedMessage[],
): Steps<Part[]> {
  const parts: Part[] = [];
  if (corpus === "memories") {
    for (const message of messages) parts.push(...(yield* partsOfMemory(message)).map(closed));
    return parts;
  }
  let short: Unit[] = [];
  const packShort = () => {
    parts.push(...packUnits(short, tokensMax).map(closed));
    short = [];
  };
  for (const message of messages) {
    const units = yield* splitText(label(message), message, tokensMax);
    if (!isLong(units, tokensMax)) {
      short.push(...units);
      continue;
    }
    packShort();
    parts.push(...units.map((unit) => closed([unit])));
  }
  const isOpen = short.length > 0;
  packShort();
  const last = parts.at(-1);
  if (last !== undefined) last.isOpen = isOpen;
  return parts;
}

/** Whether a message takes more than half of the room of a chunk. */
const isLong = (units: Unit[], tokensMax: number): boolean =>
  units.length > 1 || units.some(({ tokens }) => tokens > tokensMax / 2);

/**
 * Length to which the speaker's name before a message is cut, in bytes. A long name would leave no room for the text.
 */
const NAME_BYTES_MAX = 64;
const encoder = new TextEncoder();

function label({ name, role }: IndexedMessage): string {
  const speaker = name ?? role;
  const { read } = encoder.encodeInto(speaker, new Uint8Array(NAME_BYTES_MAX));
  return `[${speaker.slice(0, read)}]: `;
}
