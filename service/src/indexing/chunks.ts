import type { Corpus } from "@engram/spec";
import type { Pace, Steps } from "../text/pace.ts";
import { toChunkId } from "./chunk-ids.ts";
import { type IndexedMessage, WINDOW_MESSAGES } from "./chunks-queries.ts";
import { partsOfMemory } from "./memory-chunks.ts";
import type { NoteChunk } from "./note-chunks.ts";
import { packUnits, splitText, type Unit } from "./split-text.ts";

/** A window of messages starts this number of sequence numbers after the one before it, so windows overlap. */
export const WINDOW_STRIDE = 3;

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
 * The chunks of one window. A window of messages is one chunk, or several if its text exceeds `tokensMax`. A
 * memory is split by `partsOfMemory`.
 *
 * A chunk's id depends only on organization, model, window, messages and part.
 */
export async function chunksOfWindow(
  input: { organizationId: string; corpus: Corpus; model: string; windowStart: number; tokensMax: number },
  messages: IndexedMessage[],
  pace: Pace,
): Promise<Chunk[]> {
  const parts = await pace.run(partsOfWindow(input, messages));
  return Promise.all(
    parts.map(async (part, i) => {
      const sequences = part.map(({ sequence }) => sequence);
      const [startSequence, endSequence] = [Math.min(...sequences), Math.max(...sequences)];
      const ids = messages
        .filter((m) => m.sequence >= startSequence && m.sequence <= endSequence)
        .map((m) => m.id);
      return {
        id: await toChunkId({ ...input, messageIds: ids, part: i }),
        windowStart: input.windowStart,
        startSequence,
        endSequence,
        units: part,
        position: part[0]?.position ? { ordinal: i, ...part[0].position } : null,
      };
    }),
  );
}

function* partsOfWindow(
  { corpus, tokensMax }: { corpus: Corpus; tokensMax: number },
  messages: IndexedMessage[],
): Steps<Unit[][]> {
  if (corpus === "memories") {
    const parts: Unit[][] = [];
    for (const message of messages) parts.push(...(yield* partsOfMemory(message)));
    return parts;
  }
  const units: Unit[] = [];
  for (const message of messages) units.push(...(yield* splitText(label(message), message, tokensMax)));
  return packUnits(units, tokensMax);
}

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
