import type { EntityKind } from "@engram/spec";
import { sha256, toHex } from "../platform/digest.ts";
import { fold } from "../text/fold.ts";

/** Characters of a folded value that are stored, because it is part of keys and cursors. */
const FOLDED_CHARACTERS_MAX = 200;
const START_CHARACTERS = 160;
const DIGEST_DIGITS = 32;

/** A value in lower case and without accents. Of a long one, the start and a digest of the whole. */
export async function foldValue(value: string): Promise<string> {
  const folded = fold(value);
  if (folded.length <= FOLDED_CHARACTERS_MAX) return folded;
  // Without half of a surrogate pair at the end.
  const start = folded.slice(0, START_CHARACTERS).replace(/[\ud800-\udbff]$/, "");
  return `${start}…${toHex(await sha256(folded)).slice(0, DIGEST_DIGITS)}`;
}

/** The id has this many hexadecimal digits of a SHA-256: two of a billion entities are equal once in 10^20 times. */
const ID_DIGITS = 32;

/** The id of an entity is the same whenever it is computed, differs by organization, and does not contain the text. */
export async function toEntityId(organizationId: string, kind: EntityKind, folded: string): Promise<string> {
  const digest = await sha256(JSON.stringify([organizationId, kind, folded]));
  return `ent_${toHex(digest).slice(0, ID_DIGITS)}`;
}
