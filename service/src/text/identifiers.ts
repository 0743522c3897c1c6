import { foldWords } from "./fold.ts";

/** Maximum length of an identifier. Longer runs of characters are data, not names. */
const IDENTIFIER_CHARACTERS_MAX = 64;

/** A word, or several joined by `_`, `.` or `-`, as in code, product codes and versions. */
const IDENTIFIER = /[\p{L}\p{N}\p{M}]+(?:(?:_+|[.-])[\p{L}\p{N}\p{M}]+)*/gu;
const IDENTIFIER_HERE = new RegExp(IDENTIFIER, "uy");
const VERSION_LETTER = /^v(?=\d+\.)/i;
const SIGNS = /[_.-]+/;
/** The position between `fetch` and `User`, or between `HTTP` and `Server`. */
const CASE_BOUNDARY = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
/** A quick test that skips most words. */
const PLAIN = /^[A-Z]?[a-z]+$/;
/** A quick test that skips texts without identifiers to split. */
const ANY = /[\p{Ll}\p{N}]\p{Lu}|\p{Lu}{2}\p{Ll}|[\p{L}\p{N}\p{M}][_.-]+[\p{L}\p{N}]/u;

export interface Identifier {
  index: number;
  text: string;
  /** All parts as one word: the same for `fetchUserById`, `fetch_user_by_id` and `fetch-user-by-id`. */
  joined: string;
  /** The words between separators and changes of case. There are at least two. */
  parts: string[];
}

/**
 * Finds identifiers in the order of the text. Words are not stemmed. Between digits, `joined` keeps a separator, so
 * that 1.2.3 and 12.3 differ.
 */
export function* findIdentifiers(text: string): Generator<Identifier, void, undefined> {
  if (!ANY.test(text)) return;
  for (const { 0: run, index } of text.matchAll(IDENTIFIER)) {
    const identifier = toIdentifier(run, index);
    if (identifier !== null) yield identifier;
  }
}

/**
 * Reads the characters that may be an identifier, from the position of a letter or digit before which there is none of
 * them. `identifier` is null if they are a single word, or too long.
 */
export function readIdentifier(text: string, index: number): { end: number; identifier: Identifier | null } {
  IDENTIFIER_HERE.lastIndex = index;
  const [run = ""] = IDENTIFIER_HERE.exec(text) ?? [];
  return { end: index + run.length, identifier: toIdentifier(run, index) };
}

function toIdentifier(run: string, index: number): Identifier | null {
  if (run.length > IDENTIFIER_CHARACTERS_MAX || PLAIN.test(run)) return null;
  const pieces = run.replace(VERSION_LETTER, "").split(SIGNS);
  const parts = pieces.flatMap((piece) => piece.split(CASE_BOUNDARY));
  if (parts.length === 1) return null;
  const joined = foldWords(pieces.join("\u00b7"))
    .replace(/(?<!\p{N})·|·(?!\p{N})/gu, "")
    // `fold` turns some characters into several words with spaces.
    .replace(/[^\p{L}\p{N}\p{M}·]/gu, "");
  return { index, text: run, joined, parts: parts.map(foldWords) };
}
