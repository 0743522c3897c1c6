import { type EntityKind, MESSAGE_MENTIONS_MAX } from "@engram/spec";
import { toDay } from "../dates/calendar.ts";
import { DATE_WORDS } from "../dates/names.ts";
import { matchDate } from "../dates/reader.ts";
import { DateContext, isoValue } from "../dates/reading.ts";
import { STEP_CHARACTERS, type Steps } from "../pace.ts";
import { matchAmount } from "./amounts.ts";
import { findInBackticks, programOf, readLines, shift, subcommandOf } from "./commands.ts";
import { matchEmail } from "./emails.ts";
import { matchErrorCode } from "./error-codes.ts";
import { FILES } from "./file-names.ts";
import { matchFile } from "./files.ts";
import type { Mention, Span } from "./kinds.ts";
import { NUMBER_WORDS } from "./number-words.ts";
import { NAMING, REMOTE } from "./programs.ts";
import { findQuotedNames } from "./quoted-names.ts";
import { matchSymbol } from "./symbols.ts";
import { matchTicket } from "./tickets.ts";
import { LOWER, SIGN, type Token, Tokens, toToken } from "./tokens.ts";
import { findUrls } from "./urls.ts";
import { matchVersion } from "./versions.ts";

export type { Mention } from "./kinds.ts";

/** Version of the rules. A change of what they find increases it. */
export const ENTITY_RULES = 2;

/** Words in small letters with which a mention may begin. Other words in small letters are skipped. */
const FIRST_WORDS = new Set([
  ...DATE_WORDS,
  ...NUMBER_WORDS.keys(),
  ...FILES,
  ...["a", "one", "exit", "exited", "exits", "exiting", "http", "rs", "kr"],
]);
/** A quoted name that no other mention may be in: several words, or one that is capitalized as names of products. */
const TITLE = /\s|^\p{Lu}[\p{L}\p{N}]*$/u;
const OPENING = 0x28;
/** Reading a line, and trying all rules at a word, take as long as reading these numbers of characters. */
const LINE_CHARACTERS = 16;
const MATCH_CHARACTERS = 8;

interface Found extends Span {
  kind: EntityKind;
  /** The verbatim text if undefined. */
  value?: string;
}

/**
 * Finds the entities of a message by rules: the first 64, by position. A mention comes before those that it contains.
 * Only commands contain other mentions. The time that this takes grows with the length of the text, whatever is in it.
 *
 * @param saidAt when the message was said. Dates such as "yesterday" are resolved against its day in UTC.
 */
export function* findEntities(text: string, saidAt: Date | string): Steps<Mention[]> {
  const dates = new DateContext(text, toDay(new Date(saidAt).getTime()), false);
  const urls = findUrls(text, MESSAGE_MENTIONS_MAX).map((span): Found => ({ ...span, kind: "url" }));
  const { commands, names, prompts } = yield* findInLines(text);
  const titles = names.filter(({ start, end }) => TITLE.test(text.slice(start, end)));
  const words = yield* findInWords(text, [urls, titles, prompts], commands, dates);
  const taken = withoutOverlap([urls, words, names]);
  return [...taken, ...commands]
    .sort(byPosition)
    .slice(0, MESSAGE_MENTIONS_MAX)
    .map(({ kind, start, end, value }) => ({ kind, start, end, value: value ?? text.slice(start, end) }));
}

const byPosition = (a: Span, b: Span): number => a.start - b.start || b.end - a.end;

/** Commands with their prompts, and quoted names, each the first 64. */
function* findInLines(text: string): Steps<{ commands: Found[]; prompts: Found[]; names: Found[] }> {
  const commands: Found[] = [];
  const prompts: Found[] = [];
  const names: Found[] = [];
  for (const line of readLines(text)) {
    yield line.source.length + LINE_CHARACTERS;
    const inBackticks = line.isCode ? [] : yield* findInBackticks(line.source);
    for (const span of [...line.commands, ...inBackticks.map((span) => shift(span, line.start))]) {
      if (commands.length >= MESSAGE_MENTIONS_MAX) break;
      commands.push({ ...span, kind: "command" });
      if (line.promptLength > 0)
        prompts.push({ start: line.start, end: line.start + line.promptLength, kind: "command" });
    }
    if (line.isCode || names.length >= MESSAGE_MENTIONS_MAX) continue;
    for (const { start, end } of yield* findQuotedNames(line.source)) {
      names.push({ start: line.start + start, end: line.start + end, kind: "quoted_name" });
    }
  }
  return { commands, prompts, names };
}

/** The spans of all lists, in order. Of those that overlap, the one whose list is first. */
function withoutOverlap(lists: Found[][]): Found[] {
  let taken: Found[] = [];
  for (const list of lists) {
    const before = taken;
    let next = 0;
    const free = list.filter(({ start, end }) => {
      while ((before[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
      return (before[next]?.start ?? Number.POSITIVE_INFINITY) >= end;
    });
    taken = [...before, ...free].sort(byPosition);
  }
  return taken;
}

/** Mentions that consist of words, the first 64. Words of `taken` are no part of one. */
function* findInWords(
  text: string,
  taken: Found[][],
  commands: readonly Found[],
  dates: DateContext,
): Steps<Found[]> {
  const tokens = new Tokens(text, withoutOverlap(taken));
  const found: Found[] = [];
  let command = 0;
  let end = 0;
  let read = 0;
  let work = 0;
  while (found.length < MESSAGE_MENTIONS_MAX && tokens.next()) {
    const token = tokens.at(0);
    if (token === undefined) break;
    work += token.end - read;
    read = token.end;
    if (work >= STEP_CHARACTERS) {
      yield work;
      work = 0;
    }
    if (token.start < end || isPlain(text, token)) continue;
    work += MATCH_CHARACTERS;
    while ((commands[command]?.end ?? Number.POSITIVE_INFINITY) <= token.start) command += 1;
    const within = commands[command];
    const isWithin = within !== undefined && token.start >= within.start;
    for (const mention of matchToken(tokens, token, dates, found.at(-1))) {
      if (isWithin && !isMentionInCommand(text, within, mention)) continue;
      found.push(mention);
      end = mention.end;
    }
  }
  return found.slice(0, MESSAGE_MENTIONS_MAX);
}

/** Whether a token is a word with which no mention begins. Most are. */
const isPlain = (text: string, { traits, lower, end }: Token): boolean =>
  traits === LOWER && text.charCodeAt(end) !== OPENING && !FIRST_WORDS.has(lower);

/** `$1` in a command is no amount, `deploy@host.example` no email for ssh, and a subcommand no symbol. */
function isMentionInCommand(text: string, command: Span, { kind, start, end }: Found): boolean {
  if (end > command.end) return false;
  if (kind === "amount" || kind === "quoted_name") return false;
  if (kind === "email") return !REMOTE.has(programOf(text, command));
  if (kind !== "symbol") return true;
  const symbol = text.slice(start, end);
  // Names in capitals are variables of the environment.
  if (/^[a-z.]+$/.test(symbol) || (NAMING.has(programOf(text, command)) && /\p{Ll}/u.test(symbol)))
    return false;
  const subcommand = subcommandOf(text, command);
  return subcommand === undefined || subcommand.start !== start || subcommand.end !== end;
}

/** Mentions that begin with the current token, or with parts of it: `react@18.2.0`, `acme/web:1.8.0`. */
function matchToken(tokens: Tokens, token: Token, dates: DateContext, last: Found | undefined): Found[] {
  const email = found("email", matchEmail(token));
  const whole = email ?? matchOne(tokens, token, dates, last);
  if (whole !== undefined) return [whole];
  if ((token.traits & SIGN) === 0) return [];
  const parts = splitAt(tokens, token, ":");
  return parts.flatMap((part, i) => {
    const address = i > 0 && i === parts.length - 1 ? found("email", matchEmail(part)) : undefined;
    const match = address ?? (parts.length > 1 ? matchOne(tokens, part, dates, undefined) : undefined);
    // Ruby writes a value with its class: `nil:NilClass`
    if (i > 0 && match?.kind === "symbol" && /^\p{Lu}\p{Ll}/u.test(part.text)) return [];
    return match === undefined ? matchPieces(tokens, part) : [match];
  });
}

/** The first rule, in order of kinds, that matches at a token. */
function matchOne(
  tokens: Tokens,
  token: Token,
  dates: DateContext,
  last: Found | undefined,
): Found | undefined {
  const chained = last?.kind === "version" ? last : undefined;
  return (
    found("file", matchFile(tokens, token)) ??
    found("error_code", matchErrorCode(tokens, token)) ??
    matchDay(tokens, token, dates) ??
    found("ticket", matchTicket(tokens, token)) ??
    found("amount", matchAmount(tokens, token)) ??
    found("version", matchVersion(tokens, token, chained)) ??
    found("symbol", matchSymbol(tokens, token))
  );
}

/** A date that means one day or month. */
function matchDay(tokens: Tokens, token: Token, dates: DateContext): Found | undefined {
  const span = matchDate(tokens, token, dates);
  const value = span === undefined ? undefined : isoValue(span, dates.today);
  return span === undefined || value === undefined
    ? undefined
    : { kind: "date", start: span.start, end: span.end, value };
}

/** Versions after `@` or `/`, and tickets and amounts with `/` between them. */
function matchPieces(tokens: Tokens, part: Token): Found[] {
  const versions = splitAt(tokens, part, "@")
    .slice(1)
    .map((piece) => found("version", matchVersion(tokens, piece, undefined)));
  const pieces = splitAt(tokens, part, "/");
  const others = pieces.length === 2 ? pieces.map((piece) => matchPiece(tokens, piece)) : [];
  return [...others, ...versions].filter((mention) => mention !== undefined).sort(byPosition);
}

const matchPiece = (tokens: Tokens, piece: Token): Found | undefined =>
  found("ticket", matchTicket(tokens, piece)) ??
  found("amount", matchAmount(tokens, piece)) ??
  found("version", matchRelease(tokens, piece));

/** The version in `curl/8.4.0`. */
const matchRelease = (tokens: Tokens, piece: Token): Span | undefined =>
  /^\d+\.\d+\.\d/.test(piece.text) ? matchVersion(tokens, piece, undefined) : undefined;

function splitAt({ text }: Tokens, token: Token, sign: string): Token[] {
  if (!token.text.includes(sign)) return [token];
  const parts: Token[] = [];
  let start = token.start;
  for (const part of token.text.split(sign)) {
    if (part !== "") parts.push(toToken(text, start, start + part.length));
    start += part.length + 1;
  }
  return parts;
}

const found = (kind: EntityKind, span: Span | undefined): Found | undefined =>
  span === undefined ? undefined : { kind, start: span.start, end: span.end };
