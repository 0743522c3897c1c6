import { CONTENT_BYTES_MAX, PARTS_BYTES_MAX } from "../generated/limits.ts";
import type { Message, NewMessage } from "../generated/schema.ts";
import { sha256Hex } from "./digest.ts";
import { firstUnits } from "./json.ts";
import { fromParts, JSON_TEXT, jsonOf } from "./parts.ts";

/**
 * Most UTF-16 code units of the JSON in one piece. A search returns at most 2 MB, with the neighbors of each result, so
 * pieces are smaller than they might be.
 */
const PIECE_UNITS_MAX = 100_000;
const UNIT_BYTES_MAX = 3;

/** The `parts` of a message that stores a part of a larger message. */
interface Piece {
  [JSON_TEXT]: string;
  /** Digest of the JSON of the whole message. */
  digest: string;
  piece: number;
  of: number;
}

/** A message of a framework, and the messages that store it. The last one has its text, time and external id. */
export interface StoredItem<Item> {
  value: Item;
  pieces: Message[];
}

/**
 * The same messages, each within the service's limits. A message with larger `parts` becomes several, its pieces. The
 * last piece has the other fields, so an interrupted write leaves no message that is cut off. Equal messages have equal
 * pieces, so a repeated write continues an interrupted one. A text over the limit is cut, because `parts` has all of it.
 */
export async function inPieces(messages: NewMessage[]): Promise<NewMessage[]> {
  const all = (await Promise.all(messages.map(piecesOf))).flat();
  // An interrupted write may have stored some of the pieces, and `messages` may have these too.
  const ids = new Set<string>();
  return all.filter(({ parts, external_id }) => {
    if (!parts || !external_id || !isPiece(parts)) return true;
    return !ids.has(external_id) && ids.add(external_id);
  });
}

async function piecesOf(message: NewMessage): Promise<NewMessage[]> {
  const { parts, role, external_id, created_at } = message;
  if (parts == null) return [message];
  const content = withinBytes(message.content, CONTENT_BYTES_MAX);
  if (bytesOf(JSON.stringify(parts)) <= PARTS_BYTES_MAX) return [{ ...message, content }];
  const json = jsonOf(parts);
  const digest = await sha256Hex(json);
  const texts = slicesOf(json);
  return texts.map((text, piece): NewMessage => {
    const stored: Piece = { [JSON_TEXT]: text, digest, piece, of: texts.length };
    if (piece === texts.length - 1) return { ...message, content, parts: { ...stored } };
    return {
      role,
      content: "",
      parts: { ...stored },
      ...(external_id && { external_id: `${digest}:${piece}` }),
      ...(created_at && { created_at }),
    };
  });
}

/**
 * The messages of a framework in stored messages, in the order of their last pieces. Leaves out messages without
 * `parts`, which other programs appended, and those whose pieces are not all there.
 */
export function itemsIn<Item>(stored: Message[]): StoredItem<Item>[] {
  const latest = new Map<string, Message[]>();
  return stored.flatMap((message): StoredItem<Item>[] => {
    if (message.parts === null) return [];
    if (!isPiece(message.parts)) return [{ value: fromParts<Item>(message.parts), pieces: [message] }];
    const { digest, piece, of } = message.parts;
    // A repeated or concurrent write of an equal message replaces pieces by equal ones.
    const pieces = latest.get(digest)?.slice() ?? [];
    pieces[piece] = message;
    latest.set(digest, pieces);
    if (piece < of - 1 || Object.keys(pieces).length < of) return [];
    const json = pieces.map(({ parts }) => (parts as unknown as Piece)[JSON_TEXT]).join("");
    return [{ value: JSON.parse(json) as Item, pieces }];
  });
}

/** The values of `itemsIn`. */
export const valuesIn = <Item>(stored: Message[]): Item[] => itemsIn<Item>(stored).map(({ value }) => value);

/** A stored message without the fields that the service assigns, which it does not accept in a request. */
export function toSameMessage(message: Message): NewMessage {
  const { id, conversation_id, sequence, stored_at, updated_at, ...fields } = message;
  return fields;
}

const isPiece = (parts: object): parts is Piece => JSON_TEXT in parts && "digest" in parts;

const encoder = new TextEncoder();
const bytesOf = (text: string) => encoder.encode(text).byteLength;

function withinBytes(text: string, bytesMax: number): string {
  const isWithin = text.length * UNIT_BYTES_MAX <= bytesMax || bytesOf(text) <= bytesMax;
  return isWithin ? text : firstUnits(text, Math.floor(bytesMax / UNIT_BYTES_MAX));
}

/** Cuts a text without splitting a surrogate pair. */
function slicesOf(text: string): string[] {
  const slices: string[] = [];
  for (let start = 0; start < text.length; start += slices.at(-1)?.length ?? 0)
    slices.push(firstUnits(text.slice(start, start + PIECE_UNITS_MAX + 1), PIECE_UNITS_MAX));
  return slices;
}
