import { fold } from "./fold.ts";

/** Longest identifier that is looked into, in characters: what is longer is data, not a name. */
const IDENTIFIER_CHARACTERS_MAX = 64;

/** Runs of words that signs hold together, as code, codes and versions are written. */
const IDENTIFIER = /[\p{L}\p{N}\p{M}]+(?:(?:_+|[.-])[\p{L}\p{N}\p{M}]+)*/gu;
const VERSION_LETTER = /^v(?=\d+\.)/i;
const SIGNS = /[_.-]+/;
/** Between `fetch` and `User`, `HTTP` and `Server`. */
const CASE_BOUNDARY = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
/** Tells texts without any apart at the price of one look. */
const ANY = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2}\p{Ll}|[\p{L}\p{N}\p{M}][_.-]+[\p{L}\p{N}]/u;

/** Where an identifier stands in a text, with the words that find it beside its plain ones. */
export interface Identifier {
  index: number;
  text: string;
  /** As one word: `fetchUserById`, `fetch_user_by_id` and `fetch-user-by-id` share it. */
  joined: string;
  /** Words between its signs and its changes of case; empty when it is plain. */
  parts: string[];
}

/**
 * The identifiers of a text, in order, unstemmed.
 *
 * Digits stay apart in the joined word, so that 1.2.3 is not 12.3, and a `v` before a version goes.
 */
export function* findIdentifiers(text: string): Generator<Identifier, void, undefined> {
  if (!ANY.test(text)) return;
  for (const { 0: run, index } of text.matchAll(IDENTIFIER)) {
    if (run.length > IDENTIFIER_CHARACTERS_MAX) continue;
    const pieces = run.replace(VERSION_LETTER, "").split(SIGNS);
    const parts = pieces.flatMap((piece) => piece.split(CASE_BOUNDARY));
    if (parts.length === 1) continue;
    const joined = fold(pieces.join("\u00b7"))
      .replace(/(?<!\p{N})·|·(?!\p{N})/gu, "")
      // Folding takes some letters apart into words with blanks.
      .replace(/[^\p{L}\p{N}\p{M}·]/gu, "");
    yield { index, text: run, joined, parts: parts.map(fold) };
  }
}
