import type { EntityKind } from "@engram/spec";
import { sha256, toHex } from "../platform/digest.ts";
import { findEntities } from "../text/entities/index.ts";
import { fold } from "../text/fold.ts";
import type { StoredMention } from "./mentions-queries.ts";

/** The rules take up to 110 ms for as many characters, in which no other request of the isolate runs. */
export const MENTIONED_CHARACTERS_MAX = 100_000;
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

/** The mentions in the first `MENTIONED_CHARACTERS_MAX` characters of a message, by position. */
export function findMentions(
  organizationId: string,
  { content, createdAtMs }: { content: string; createdAtMs: number },
): Promise<StoredMention[]> {
  return Promise.all(
    findEntities(content.slice(0, MENTIONED_CHARACTERS_MAX), new Date(createdAtMs)).map(
      async ({ kind, start, end, value }) => {
        const folded = await foldValue(value);
        const text = content.slice(start, end);
        return {
          entity_id: await toEntityId(organizationId, kind, folded),
          kind,
          folded,
          value,
          ...(text !== value && { text }),
          start,
          end,
        };
      },
    ),
  );
}
