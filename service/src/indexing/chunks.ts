import type { Corpus } from "@engram/spec";
import { type IndexedMessage, WINDOW_MESSAGES } from "../queries/chunks.ts";
import type { Pace, Steps } from "../text/pace.ts";
import { toChunkId } from "./chunk-ids.ts";
import { partsOfMemory } from "./memory-chunks.ts";
import type { NoteChunk } from "./notes.ts";
import { packUnits, splitText, type Unit } from "./split.ts";

/** Sequences from one window's start to the next. */
export const WINDOW_STRIDE = 3;

/** Where a chunk stands in a memory, and which of its chunks it is, from 0. */
export interface ChunkPlace extends NoteChunk {
  ordinal: number;
}

/** What one vector stands for: a window of messages, or a part of one that is too long. */
export interface Chunk {
  id: string;
  windowStart: number;
  startSequence: number;
  endSequence: number;
  /** What it says, a message or a part of one each. */
  units: Unit[];
  /** Where it stands in a memory; null for messages. */
  place: ChunkPlace | null;
}

/** The text that a vector is made of. */
export const textOf = (units: Unit[]): string => units.map(({ text }) => text).join("\n");

/** First window that holds a sequence number. */
export function firstWindowOf(sequence: number): number {
  return windowAtOrBefore(Math.max(1, sequence - WINDOW_MESSAGES + WINDOW_STRIDE));
}

/** Last window that holds a sequence number. */
export const lastWindowOf = (sequence: number): number => windowAtOrBefore(sequence);

/** Last window that ends before a sequence number. */
export const lastWindowBefore = (sequence: number): number => windowAtOrBefore(sequence - WINDOW_MESSAGES);

/** The windows that hold some messages, which are in order; rising, each once. */
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
 * The messages of a window, by its start; empty when the window before it holds them all.
 *
 * Windows lie on the sequence numbers 1–5, 4–8, 7–11…, not on what one append brought, so that any
 * way to the same messages gives the same windows. A gap that a deletion left moves nothing.
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
 * The chunks of one window: one, or several parts where its text passes `tokensMax`.
 *
 * A chunk's id follows from organization, model, window, messages and part alone.
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
        place: part[0]?.place ? { ordinal: i, ...part[0].place } : null,
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

/** Bytes of a speaker's name in front of what they said: a longer one would leave no room for it. */
const NAME_BYTES_MAX = 64;
const encoder = new TextEncoder();

function label({ name, role }: IndexedMessage): string {
  const speaker = name ?? role;
  const { read } = encoder.encodeInto(speaker, new Uint8Array(NAME_BYTES_MAX));
  return `[${speaker.slice(0, read)}]: `;
}
