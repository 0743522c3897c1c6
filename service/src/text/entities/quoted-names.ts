import type { Steps } from "../pace.ts";
import type { Span } from "./kinds.ts";

const NAME_CHARACTERS_MAX = 80;
const QUOTE_CHARACTERS_MAX = 300;
/** Looking for the end of a quotation takes as long as reading this number of characters. */
const QUOTE_CHARACTERS = 8;
const WORDS_MAX = 9;
const QUOTE = /["“„«]/g;
const BACKTICK = 0x60;
const CLOSING: Record<string, string> = { '"': '"', "“": "”", "„": "“", "«": "»" };
/** Words that titles write small. */
const SMALL = new Set(
  "a an and as at but by de del der des die das du el en et for from in into la le los nor of off on onto or over per the to und up van via von vs vs. with y".split(
    " ",
  ),
);
const NO_NAME = /[<>{}[\]=$\\@#*_|`;]|::|[.,:;]$|\.{2}|…/;
/** Words of error texts. */
const FAULT =
  /\b(?:error|errors|failed|failure|denied|refused|invalid|unauthorized|forbidden|exception|not found|timed out|timeout|expired|missing|unavailable|cannot|bad request|bad gateway|too many|unable)\b/i;
/** Single words that are speech or values. */
const NO_SINGLE = new Set(
  `yes no ok okay hello hi hey thanks thank sorry please true false none null undefined maybe sure done wait stop help why
  what where when who how never always absolutely exactly really great good right wrong monday tuesday wednesday thursday
  friday saturday sunday january february march april may june july august september october november december today
  tomorrow yesterday`.split(/\s+/),
);
/** Before a single word in quotes that is a value and no name. */
const SAYS_VALUE =
  /\b(?:value|values|returns|returned|equals|contains|string|got|expected|header|said|replied|answered|asked|wrote|shouted|thread|enum|literal|default|=)\s*$/i;
const BEFORE_REACH = 16;

/** Names and titles in double quotes in a line of prose, without the quotes, as offsets in the line. */
export function* findQuotedNames(line: string): Steps<Span[]> {
  const names: Span[] = [];
  let at = 0;
  let backticks = 0;
  for (;;) {
    QUOTE.lastIndex = at;
    const quote = QUOTE.exec(line);
    if (quote === null) return names;
    const start = quote.index + 1;
    yield start - at + QUOTE_CHARACTERS;
    backticks += countBackticks(line, at, start);
    at = start;
    const isInCode = backticks % 2 === 1;
    if (isInCode || !isOpening(line, quote.index)) continue;
    const end = indexOfClosing(line, CLOSING[quote[0]] ?? '"', start);
    if (end < 0) continue;
    // American typography puts the comma before the quotation mark.
    const nameEnd = line.charAt(end - 1) === "," ? end - 1 : end;
    if (isName(line, start, nameEnd)) names.push({ start, end: nameEnd });
    backticks += countBackticks(line, start, end);
    at = end + 1;
  }
}

function countBackticks(line: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) if (line.charCodeAt(at) === BACKTICK) count += 1;
  return count;
}

function isOpening(text: string, at: number): boolean {
  const before = text.charAt(at - 1);
  return (at === 0 || /[\s([/—–>-]/.test(before)) && /\S/.test(text.charAt(at + 1));
}

function indexOfClosing(line: string, closing: string, from: number): number {
  const quoted = line.slice(from, from + QUOTE_CHARACTERS_MAX).indexOf(closing);
  return quoted < 0 ? -1 : from + quoted;
}

function isName(text: string, start: number, end: number): boolean {
  const name = text.slice(start, end);
  if (name.length < 2 || name.length > NAME_CHARACTERS_MAX || NO_NAME.test(name) || FAULT.test(name))
    return false;
  // A key of JSON, or its value.
  if (text.charAt(end + 1) === ":" && !/\s/.test(text.charAt(end + 2))) return false;
  const before = text.slice(Math.max(0, start - 1 - BEFORE_REACH), start - 1);
  if (/"\s*:\s*$/.test(before)) return false;
  const words = name.split(" ");
  if (words.length > WORDS_MAX || words.includes("")) return false;
  if (!isCapitalized(words[0] ?? "") && !/^\d/.test(words[0] ?? "")) return false;
  // "Who Moved My Cheese?" is a title, "Really?" is speech.
  if (/[!?]$/.test(name) && words.length < 3) return false;
  if (words.length === 1) return isSingleName(name) && !SAYS_VALUE.test(before);
  return (
    words.every((word) => isCapitalized(word) || SMALL.has(word)) &&
    words.some((word) => /^\p{Lu}\p{L}/u.test(word))
  );
}

/** Whether a word begins with a capital or a digit, perhaps in brackets. "&" stands for a word. */
const isCapitalized = (word: string): boolean =>
  /^[("'’“-]?[\p{Lu}\p{N}]|^[&–—+/-]$|^(?:d|l|O)['’]\p{Lu}/u.test(word);

function isSingleName(name: string): boolean {
  if (!/^\p{Lu}[\p{L}\p{N}'’&-]+$/u.test(name) || !/\p{Ll}/u.test(name)) return false;
  return !NO_SINGLE.has(name.toLowerCase());
}
