import { DOMAINS, NO_FILES } from "./file-names.ts";
import type { Span } from "./kinds.ts";
import { PRODUCTS } from "./products.ts";
import { PROGRAMS } from "./programs.ts";
import { DIGIT, LOWER, OTHER_SCRIPT, SIGN, type Token, type Tokens } from "./tokens.ts";

const SYMBOL_CHARACTERS_MAX = 100;
const PART = "[\\p{L}_$][\\p{L}\\p{M}\\p{N}_$]*[!?]?";
const PARTS = new RegExp(`^\\\\?${PART}(?:(?:\\.|::|\\\\|#)${PART})+$`, "u");
const SEPARATOR = /\.|::|\\|#/;
const NAME = new RegExp(`^${PART}$`, "u");
/** `fetchUser`, `HTTPServer`, `ItemList`; a single capital at the start is a name such as OBrien. */
const CAMEL =
  /^\$?(?:\p{Ll}[\p{Ll}\p{N}]*|\p{Lu}[\p{Ll}\p{N}]+|\p{Lu}{2,}(?=\p{Lu}\p{Ll}))(?:\p{Lu}[\p{Ll}\p{N}]*)+$/u;
const SNAKE = /^\$?_*[\p{L}\p{N}$]+(?:_+[\p{L}\p{N}$]+)+_*$|^__[a-z][a-z0-9_]*__$/u;
/** Locales, processors, and other names that only look like names in code. */
const NO_SNAKE =
  /^(?:[a-z]{2}_[A-Z]{2}|.*x86_64|node_modules|utf8.*_ci|site_packages|__pycache__|(?:screaming_)?snake_case)$/i;
/** Names at the end of which a product has an abbreviation: MySQL, RabbitMQ. Names in code have these. */
const ABBREVIATION = /\p{Ll}\p{Lu}{2,}$/u;
const CODE_ABBREVIATION = /(?:ID|URL|URI|JSON|XML|HTML|CSV|UUID|DTO|HTTP|UTC|PDF)$/;
const PERSON = /^(?:Mc|Mac)[A-Z][a-z]+$/;

const set = (words: string) => new Set(words.split(/\s+/));
/** Objects whose parts are symbols although all letters are small. */
const OBJECTS = set(
  `this self super cls process console window document navigator localstorage sessionstorage module exports req res request
  response ctx context event err config cfg settings options opts props state params args user os sys np pd plt torch tf
  json re time datetime asyncio logging subprocess itertools functools pathlib typing fs path http https crypto util
  events stream std io fmt strings strconv errors sync sql reflect java javax kotlin android cls obj router axios jest vi
  expect cy item data result row body headers session performance globalthis import chrome browser array object`,
);
const COMMON_DOMAINS = set("com org net io dev app gov edu ai");
const LEVELS = set("ERROR WARN WARNING INFO DEBUG TRACE FATAL CRITICAL NOTICE ALERT");
/** After the name of a company. */
const COMPANIES = set("inc gmbh ltd llc corp ag plc");
/** Before the name of a person or a place. */
const TITLES = set("mr mrs ms dr st prof no nr");
const KEYWORDS = set(
  `if for while switch catch return function typeof await async new and or not in is with elif until unless foreach except
  match when lambda yield throw assert sizeof void int func fn fun def`,
);
/** Words with which a sentence begins after a full stop without a blank. */
const SENTENCE = set(
  `the this that it i we you he she they but and then if so in is what how when where why who please thanks thank no yes
  my our your there here also not do does can could would should for to on at a an as by let maybe now just`,
);

/** A name in code of two parts or more, or a name that is called. */
export function matchSymbol(tokens: Tokens, token: Token): Span | undefined {
  if (token.traits === DIGIT || token.text.length > SYMBOL_CHARACTERS_MAX) return undefined;
  const isCalled = tokens.text.charAt(token.end) === "(";
  if (token.traits === LOWER && !isCalled) return undefined;
  const { text, start, end } = withoutSigns(token, isCalled);
  if (text === "" || isHandle(tokens, token) || PROGRAMS.has(text) || isIdOfThing(text)) return undefined;
  if (COMPANIES.has(tokens.lower(1)) && tokens.isNextTo(0)) return undefined;
  return isSymbol(tokens, token, text, isCalled) ? { start, end } : undefined;
}

/** Leaves out `@` of a decorator that is called, and a dash of `->name`. */
function withoutSigns({ text, start, end }: Token, isCalled: boolean): Span & { text: string } {
  const from = (isCalled && text.startsWith("@")) || text.startsWith("&") ? 1 : 0;
  return { text: text.slice(from), start: start + from, end };
}

/** `@name`, `#name` */
const isHandle = ({ text }: Tokens, { start }: Token): boolean => /[@#]/.test(text.charAt(start - 1));

function isSymbol(tokens: Tokens, token: Token, text: string, isCalled: boolean): boolean {
  if (SEPARATOR.test(text)) return PARTS.test(text) && isQualified(tokens, token, text, isCalled);
  if (!NAME.test(text)) return false;
  if (isCompound(text, isCalled || isQuoted(tokens, token))) return true;
  return isCalled && isCall(tokens, token, text);
}

/** Whether digits and letters alternate as in generated ids: `req_8f2a41`, `cus_9s6XKzk`. */
function isIdOfThing(text: string): boolean {
  if (!/\d/.test(text)) return false;
  const last = text.slice(text.lastIndexOf("_") + 1);
  return countChanges(text) > 3 || (last !== text && last.length > 3 && countChanges(last) > 1);
}

const countChanges = (text: string): number => text.match(/\d(?=\p{L})|\p{L}(?=\d)/gu)?.length ?? 0;

/** Whether a name has two parts or more that are written together. */
function isCompound(text: string, isCode: boolean): boolean {
  if (text.includes("_") || text.startsWith("$")) {
    return SNAKE.test(text) && /\p{L}/u.test(text) && !NO_SNAKE.test(text);
  }
  if (text.length < 4 || !CAMEL.test(text)) return false;
  if (isCode) return !/^\p{Lu}+s$/u.test(text);
  // URLs, IoT, iPhone 15 and eMail
  if (/^\p{Lu}{2,}s$|^i(?:Phone|Pad|OS|Mac|Cloud)/u.test(text) || PERSON.test(text)) return false;
  if (text.length < 5 && /^\p{Lu}/u.test(text)) return false;
  if (PRODUCTS.has(text.toLowerCase())) return false;
  // eSIM, eBPF
  if (/^\p{Ll}\p{Lu}/u.test(text)) return false;
  return /^\p{Ll}/u.test(text) || !ABBREVIATION.test(text) || CODE_ABBREVIATION.test(text);
}

function isQualified(tokens: Tokens, token: Token, text: string, isCalled: boolean): boolean {
  const parts = text.split(SEPARATOR).filter((part) => part !== "");
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (parts.every((part) => part.length < 3) || LEVELS.has(last)) return false;
  if (text.includes("::")) return true;
  if (text.includes("\\")) return parts.length > 2 || parts.every((part) => /^\p{Lu}\p{Ll}/u.test(part));
  if (text.includes("#")) return /^\p{Lu}/u.test(first);
  if (isCalled) return !PRODUCTS.has(text.toLowerCase());
  if (NO_FILES.has(text.toLowerCase()) && !/\.env$/.test(text)) return false;
  if (parts.some((part) => part.startsWith("$") || isCompound(part, true))) return true;
  if (OBJECTS.has(first.toLowerCase())) return !COMMON_DOMAINS.has(last);
  if (isQuoted(tokens, token)) return !isHost(parts);
  // `models.CASCADE`
  if (/^[A-Z][A-Z0-9]{2,}$/.test(last) && !DOMAINS.has(last.toLowerCase())) return /\p{Ll}/u.test(first);
  if (TITLES.has(first.toLowerCase())) return false;
  if (/^\p{Lu}\p{Ll}/u.test(last))
    return !SENTENCE.has(last.toLowerCase()) && parts.every((part) => part.length > 1);
  if (/^\p{Lu}\p{Ll}/u.test(first)) return !isHost(parts) && last.length > 1;
  return (
    parts.length > 2 && /^\p{Ll}/u.test(last) && !isHost(parts) && parts.every((part) => part.length > 1)
  );
}

const isHost = (parts: string[]): boolean => DOMAINS.has(parts.at(-1) ?? "");

/** Whether a token is all that stands in backticks. */
const isQuoted = ({ text }: Tokens, { start, end }: Token): boolean =>
  text.charAt(start - 1) === "`" && (text.charAt(end) === "`" || text.charAt(end) === "(");

/** Whether a parenthesis after a name belongs to a call: `play()`, `hash("x")`. "file(s)" is a plural. */
function isCall({ text }: Tokens, { end, start, traits }: Token, name: string): boolean {
  if (name.length < 2 || KEYWORDS.has(name.toLowerCase()) || !/\p{L}/u.test(name)) return false;
  // A method of what another call returns: `.then()`
  if (text.charAt(start - 1) === ")") return false;
  if (text.charAt(end + 1) === ")") return true;
  if ((traits & (SIGN | OTHER_SCRIPT)) === 0 && (traits & LOWER) === 0) return false;
  const argument = /^\(([^()\s]{1,60})/.exec(text.slice(end, end + 62))?.[1] ?? "";
  return /["'=_.[\]{$*]|^0x|^\d+,|^\w+,/.test(argument);
}
