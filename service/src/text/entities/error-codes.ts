import { CODES, SIGNALS, STATUS_PHRASES } from "./error-names.ts";
import type { Span } from "./kinds.ts";
import { DIGIT, LOWER, type Token, type Tokens } from "./tokens.ts";

/** Codes of compilers, linters, databases and clouds: letters and digits. */
const LETTERS_DIGITS =
  /^(?:TS\d{4,5}|CS\d{4}|E\d{3,5}|C\d{4}|LNK\d{4}|MSB\d{4}|NU\d{4}|NETSDK\d{4}|CA\d{4}|BC\d{5}|FS\d{4}|SC\d{4}|AADSTS\d{5,7}|P[12]\d{3}|PGRST\d{3}|F[4-9]\d\d|W[1-6]\d\d|[WR]\d{4}|RUF\d{3}|SQL\d{4,5}[NCW]|APIC\d{3}|WSA[A-Z]+|ERR\d{2,6}|NG0?\d{3,4}|AH\d{5}|KSP\d+|JS\d{4})$/;
const LETTERS_DASH_DIGITS =
  /^(?:(?:ORA|PLS|TNS|RMAN|ERR|SP2|CRS|DRG|LRM|IMP|EXP|KUP|NZE|TS|BUILD|WFLY[A-Z]+|NG|PM|E|SQLCODE)-\d{2,6}|CVE-\d{4}-\d{4,7}|GHSA(?:-[0-9a-z]{4}){3}|(?:RUSTSEC|DSA|USN|PYSEC|GO|RHSA)-\d{4}[-:]\d{2,6})$/;
/** Results of Windows: an error's highest bit is set. */
const HEXADECIMAL = /^0x(?:8[0-9a-f]{7}|c0[0-9a-f]{6})$/i;
/** The name of an exception, with its package. */
const EXCEPTION =
  /^\\?(?:[\p{L}_][\p{L}\p{N}_]*(?:\.|::|\\|\$))*[A-Z]{1,2}\p{L}[\p{L}\p{N}_]*(?:Error|Exception|Warning|Denied|Refused|Exceeded|BackOff|NotFound|DoesNotExist|Unauthorized)$/u;
const PREFIXED_EXCEPTION = /^(?:[\p{L}_][\p{L}\p{N}_]*\.)?(?:NoSuch|Err)[A-Z]\p{L}[\p{L}\p{N}]+$/u;
const SQLSTATE = /^[0-9A-Z]{5}$/;
const SCREAMING = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
/** Words of a code in capitals that say that something went wrong. */
const FAULTS =
  /^(?:E|ER|SQLITE)_|(?:^|_)(?:ERR|ERROR|LOST|ERRORS|FAILED|FAILURE|EXPIRED|DENIED|EXCEEDED|NOT_FOUND|NOT_ALLOWED|NOT_SUPPORTED|INVALID|UNAVAILABLE|REFUSED|OVERFLOW|UNDERFLOW|MISSING|CONFLICT|UNAUTHORIZED|UNAUTHENTICATED|FORBIDDEN|REVOKED|ABORTED|EXHAUSTED|VIOLATION|MISMATCH|CORRUPT|CORRUPTED|REJECTED|UNREACHABLE|TIMED_OUT|DUPLICATE|UNKNOWN|BAD|UNEXPECTED|ILLEGAL|MALFORMED|ALREADY_EXISTS|TOO_LARGE|TOO_MANY|UNSUPPORTED|CRASHED|BROKEN|DISCONNECTED|BLOCKED|SELF_SIGNED_CERT|UNABLE_TO|DEADLOCK|ENOENT|EACCES)(?:_|$)/;
/** Before a code in capitals without such a word. */
const SAYS_CODE = new Set(
  "with code error error_code errors errorcode reason got get gets getting throws threw returns returned raises raised status fails failed failing".split(
    " ",
  ),
);
/** A name after "Error:", which is a code of a cloud or a library. */
const NAME = /^(?:\p{Lu}\p{Ll}+){2,}$/u;
const EXIT = new Set(["exit", "exited", "exits", "exiting"]);

/** A code or a name that a system, compiler or library gives an error. */
export function matchErrorCode(tokens: Tokens, token: Token): Span | undefined {
  if ((token.traits & ~(LOWER | DIGIT)) !== 0 && isErrorCode(tokens, token)) return token;
  if (token.text.startsWith("0") && HEXADECIMAL.test(token.text)) return token;
  if (token !== tokens.at(0)) return undefined;
  if (token.traits === DIGIT) return matchNumber(tokens, token);
  return matchExit(tokens, token) ?? matchHttp(tokens, token);
}

function isErrorCode(tokens: Tokens, token: Token): boolean {
  const { text, traits } = token;
  if (CODES.has(text)) return true;
  if ((traits & LOWER) === 0) {
    if (SQLSTATE.test(text) && tokens.lower(-1) === "sqlstate") return true;
    if (LETTERS_DIGITS.test(text) || LETTERS_DASH_DIGITS.test(text)) return true;
    if (text.startsWith("SIG")) return SIGNALS.has(text.slice(3));
    return SCREAMING.test(text) && (FAULTS.test(text) || SAYS_CODE.has(tokens.lower(-1)));
  }
  if (LETTERS_DASH_DIGITS.test(text)) return true;
  // Exceptions of Ruby, such as PG::UniqueViolation
  if (/^(?:\w+::)+\w+(?:Violation|Invalid|NotUnique|Timeout)$/.test(text)) return true;
  if (/^(?:Errno::E[A-Z]+|\w+\.DoesNotExist|net::ERR_[A-Z_]+)$/i.test(text)) return true;
  if (NAME.test(text) && token === tokens.at(0) && isAfterError(tokens)) return true;
  return EXCEPTION.test(text) || PREFIXED_EXCEPTION.test(text);
}

/** "Error: AccessDenied", "error code InvalidParameter" */
const isAfterError = (tokens: Tokens): boolean =>
  (tokens.lower(-1) === "error" && tokens.between(-1) === ": ") ||
  (tokens.lower(-1) === "code" &&
    tokens.lower(-2) === "error" &&
    /^:? $/.test(tokens.between(-1).slice(0, 3)));

/** `exit code 2`, `exited with code 2` */
function matchExit(tokens: Tokens, token: Token): Span | undefined {
  if (!EXIT.has(token.lower)) return undefined;
  const skipped = tokens.lower(1) === "with" ? 1 : 0;
  const word = tokens.lower(1 + skipped);
  if (word !== "code" && word !== "status") return undefined;
  const number = tokens.at(2 + skipped);
  if (number === undefined || !/^-?\d{1,10}$/.test(number.text)) return undefined;
  return { start: token.start, end: number.end };
}

/** `HTTP 429`, `HTTP 500 Internal Server Error` */
function matchHttp(tokens: Tokens, token: Token): Span | undefined {
  if (token.lower !== "http") return undefined;
  let at = 1;
  while (["status", "code", "error"].includes(tokens.lower(at)) && at < 3) at += 1;
  const number = tokens.at(at);
  if (number === undefined || !/^[1-5]\d\d$/.test(number.text) || !tokens.isNextTo(at - 1)) return undefined;
  return { start: token.start, end: endOfPhrase(tokens, at, number) ?? number.end };
}

/** `422 Unprocessable Entity`, and the number after "SQLSTATE" or "errno" */
function matchNumber(tokens: Tokens, token: Token): Span | undefined {
  const before = tokens.lower(-1);
  if (before === "sqlstate" || (before === "code" && tokens.lower(-2) === "error")) return token;
  const previous = tokens.at(-1);
  if (before === "errno" && previous !== undefined) return { start: previous.start, end: token.end };
  if (before === "error" && /^\d{4}$/.test(token.text) && tokens.isNextTo(-1)) return token;
  const end = endOfPhrase(tokens, 0, token);
  return end === undefined ? undefined : { start: token.start, end };
}

/** The end of the phrase that belongs to the status of HTTP at a distance. */
function endOfPhrase(tokens: Tokens, distance: number, { text }: Token): number | undefined {
  for (const phrase of STATUS_PHRASES[Number(text)] ?? []) {
    const words = phrase.split(" ");
    const isSaid = words.every(
      (word, i) => tokens.lower(distance + 1 + i) === word && tokens.isNextTo(distance + i),
    );
    // "404 found" is prose, "302 Found" a status.
    const first = tokens.at(distance + 1)?.text ?? "";
    if (isSaid && (words.length > 1 || /^[A-Z]/.test(first))) return tokens.at(distance + words.length)?.end;
  }
  return undefined;
}
