import type { Span } from "./kinds.ts";
import { DIGIT, type Token, type Tokens } from "./tokens.ts";

const KEY = /^([A-Z]{2,}[A-Z0-9]{0,8}|[A-Z]\d[A-Z])-\d{1,6}$/;
const WITH_WORD = /^(?:PR|MR|issue)(?=[#!]\d)/i;
const NUMBER_SIGN = /^[#!]\d{1,7}$/;
const IN_REPOSITORY = /^(?:[\p{L}\p{N}_.-]+\/)*[\p{L}\p{N}_.-]+[#!]\d{1,7}$/u;

/** Letters before a dash and a number that are standards, models, or kinds of numbers that are no tickets. */
const NO_KEYS = new Set(
  `UTF UCS ISO IEC IEEE RFC SHA MD AES DES RSA CRC COVID SARS GPT EN DIN ECMA ASCII ANSI WINDOWS WIN CP LATIN KOI8 GB JIS
  EUC BASE X86 X64 ARM USB HTTP TLS SSL IPV GPL LGPL AGPL BSD MIT MPL CC PCI SOC FIPS NIST CWE CVE GHSA INV ORD ORDER PO
  RMA REF INVOICE VOUCHER COUPON PROMO SAVE SPRING SUMMER AUTUMN FALL WINTER BLACK WELCOME Q1 Q2 Q3 Q4 FY CY RTX GTX RX
  DDR PCIE MPEG MP VT LTE SPF AK MIG MQ OM ISBN EAN PEP JSR BCP RS WPA IP CAT PS SALE DISCOUNT XMAS GIFT HELLO CODE OAUTH HDMI VERSION STEP PART PAGE LINE ROW TABLE FIGURE CHAPTER SECTION LEVEL ZONE
  APOLLO BOEING AIRBUS TOP US EU UK AD BC PM AM GMT UTC CET EST PST TL WD TP SN ID NO NR KB`.split(/\s+/),
);
/** Before a number that is no ticket. */
const OTHER_NUMBERS = new Set(
  `order orders invoice invoices voucher coupon promo code receipt reference ref tracking parcel shipment delivery booking
  reservation customer account step line page room apartment suite unit flight track chapter level slot item build
  position rank player phone model serial`.split(/\s+/),
);
const VOUCHERS = new Set("voucher vouchers coupon coupons promo discount".split(" "));
const TICKET_WORDS = new Set(["pr", "prs", "mr", "mrs", "issue", "issues"]);
const TICKET_PLURALS = new Set(["prs", "mrs", "issues", "tickets"]);
const LONGER_TICKET_WORDS = new Set(["ticket", "tickets", "bug", "bugs"]);
const COLOR_WORDS =
  /\b(?:colou?rs?|background|border|hex|palette|css|shade|gr[ae]y|badge|fill|stroke|rgb|theme|text)\b|#(?=[0-9a-f]*[a-f])[0-9a-f]{6}\b/i;
const COLOR_REACH = 60;

/** A key such as `ABC-123`, a number with `#` or `!`, or a number after "PR", "MR" or "issue". */
export function matchTicket(tokens: Tokens, token: Token): Span | undefined {
  if ((token.traits & DIGIT) === 0) return undefined;
  if (token.traits === DIGIT) return isNumberOfTicket(tokens, token) ? token : undefined;
  const key = KEY.exec(token.text)?.[1];
  if (key !== undefined) return NO_KEYS.has(key) || isOtherNumber(tokens) ? undefined : token;
  const word = WITH_WORD.exec(token.text)?.[0].length ?? 0;
  if (word > 0) return { start: token.start + word, end: token.end };
  if (NUMBER_SIGN.test(token.text)) return isNumberSign(tokens, token) ? token : undefined;
  return /^.?\p{L}/u.test(token.text) && IN_REPOSITORY.test(token.text) ? token : undefined;
}

function isNumberOfTicket(tokens: Tokens, token: Token): boolean {
  if (token !== tokens.at(0) || token.text.length > 7 || tokens.between(-1).length > 2) return false;
  const word = tokens.lower(-1);
  // "Mrs 5" is no merge request, and "issue 3" may be a magazine, but hardly in talk of code.
  if (word === "mrs" && tokens.at(-1)?.text !== "MRs") return false;
  if (word === "request" && ["pull", "merge"].includes(tokens.lower(-2))) return true;
  if (TICKET_WORDS.has(word) || (LONGER_TICKET_WORDS.has(word) && token.text.length > 2)) return true;
  return isInList(tokens);
}

/** Whether the number stands in a list after a plural: "PRs 12, 14 and 15". */
function isInList(tokens: Tokens): boolean {
  let distance = -1;
  while (/^(?:\d{1,7}|and|or|&)$/.test(tokens.lower(distance))) distance -= 1;
  return distance < -1 && TICKET_PLURALS.has(tokens.lower(distance));
}

const isOtherNumber = (tokens: Tokens): boolean =>
  [-2, -3].some((distance) => VOUCHERS.has(tokens.lower(distance))) ||
  OTHER_NUMBERS.has(tokens.lower(-1)) ||
  (["number", "no", "nr", "id", "is"].includes(tokens.lower(-1)) && OTHER_NUMBERS.has(tokens.lower(-2)));

function isNumberSign(tokens: Tokens, { start, end, text }: Token): boolean {
  if (isOtherNumber(tokens)) return false;
  // "our #1 priority"
  if (text.length === 2 && text === "#1" && /^ [a-z]+/.test(tokens.text.slice(end, end + 4))) {
    return TICKET_WORDS.has(tokens.lower(-1));
  }
  if (text.startsWith("!") || (text.length !== 4 && text.length !== 7)) return true;
  // Three or six digits may be a color.
  const around =
    tokens.text.slice(Math.max(0, start - COLOR_REACH), start) + tokens.text.slice(end, end + COLOR_REACH);
  return !COLOR_WORDS.test(around);
}
