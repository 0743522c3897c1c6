import type { Span } from "./kinds.ts";
import { MAGNITUDES, NUMBER_WORDS } from "./number-words.ts";
import { DIGIT, LOWER, OTHER_SCRIPT, SIGN, type Token, type Tokens, UPPER } from "./tokens.ts";

const SYMBOL = "(?:(?:US|AU|CA|NZ|HK|NT|MX|A|C|R|S)?\\$|[€£¥₹₩₽₺₴₪฿₫₱₦₿])";
/** With separators of thousands, in the forms `1,200.00`, `1.200,00`, `2'350.00`, `1200` and the Indian `1,00,000`. */
const NUMBER = "(?:\\d{1,3}(?:[,.'’]\\d{3})+|\\d{1,2}(?:,\\d{2})+,\\d{3}|\\d+)(?:[.,]\\d{1,4})?";
const SCALE = "(?:[kKMB]|[mb]n|bln|mln|mio|[lL]|[cC]r)?";
const BEFORE = new RegExp(`^-?((?:${SYMBOL}|Rs\\.?)-?${NUMBER}${SCALE}(?:${SYMBOL})?)(?:$|[-/])`);
const AFTER = new RegExp(`^(${NUMBER}${SCALE}(?:${SYMBOL}|[¢]|[A-Z]{3}))(?:$|/)`);
const LONE_SYMBOL = new RegExp(`^${SYMBOL}$`);
const LONE_NUMBER = new RegExp(`^${NUMBER}${SCALE}$`);
const FIRST_GROUP = /^\d{1,3}$/;
const NEXT_GROUP = /^\d{3}(?:[.,]\d{1,2})?$/;
/** `$1` in a program is the first argument. */
const ARGUMENT = /^\$\d$/;

const CODES = new Set(
  `USD EUR GBP CHF JPY CNY INR AUD CAD NZD SEK NOK DKK PLN CZK HUF RON BGN TRY RUB UAH ILS ZAR BRL MXN ARS CLP COP PEN
  SGD HKD TWD KRW THB IDR MYR PHP VND AED SAR EGP NGN KES BTC ETH USDC USDT`.split(/\s+/),
);
const WORDS = new Set(
  `euro euros dollar dollars cent cents pound pounds yen rupee rupees franc francs krona kronor krone kroner crowns peso
  pesos yuan renminbi rubles roubles zloty złoty zł kr bucks quid pence pennies lira liras won dirham dirhams rand reais
  shekels forint baht ringgit eur usd gbp chf franken`.split(/\s+/),
);
const NATIONS = new Set(
  `us u.s american canadian australian swiss hong singapore mexican british sterling new zealand danish swedish norwegian
  indian`.split(/\s+/),
);
const PREFIXES = new Set(["rs", "kr", "rm", "fr"]);

/** An amount of money with its currency. */
export function matchAmount(tokens: Tokens, token: Token): Span | undefined {
  const { traits } = token;
  if ((traits & (DIGIT | SIGN | OTHER_SCRIPT)) === 0) {
    if (token !== tokens.at(0)) return undefined;
    return (traits & LOWER) !== 0
      ? (matchWords(tokens, token) ?? matchPrefixed(tokens, token))
      : matchPrefixed(tokens, token);
  }
  if ((traits & (SIGN | OTHER_SCRIPT | UPPER)) !== 0) {
    const symbol = BEFORE.exec(token.text)?.[1] ?? AFTER.exec(token.text)?.[1];
    if (symbol !== undefined) return matchWithSymbol(tokens, token, symbol);
    if (token !== tokens.at(0)) return undefined;
    if (LONE_SYMBOL.test(token.text)) return matchPrefixed(tokens, token);
    // "thirty-five dollars"
    if ((traits & DIGIT) === 0) return matchWords(tokens, token);
  }
  return token === tokens.at(0) ? matchNumber(tokens, token) : undefined;
}

/** `$4.2`, `$4.2 million`, `12,50€`, `5EUR` */
function matchWithSymbol(tokens: Tokens, token: Token, amount: string): Span | undefined {
  const code = /[A-Z]{3}$/.exec(amount)?.[0];
  if (code !== undefined && !CODES.has(code)) return undefined;
  if (ARGUMENT.test(amount) && isInCode(tokens, token)) return undefined;
  const start = token.start + token.text.indexOf(amount);
  const end = start + amount.length;
  if (end !== token.end || token !== tokens.at(0)) return { start, end };
  return { start, end: endOfScale(tokens, 0, end) };
}

/** `USD 5`, `€ 5`, `Rs. 500` */
function matchPrefixed(tokens: Tokens, token: Token): Span | undefined {
  const isCurrency = CODES.has(token.text) || PREFIXES.has(token.lower) || LONE_SYMBOL.test(token.text);
  if (!isCurrency || !/^\.?[ \u00a0\u202f]$/.test(tokens.between(0).slice(0, 3))) return undefined;
  const number = tokens.at(1);
  if (number === undefined || !LONE_NUMBER.test(number.text)) return undefined;
  // A prompt of a shell, and a number of a line.
  if (token.text === "$" && tokens.text.charAt(token.start - 1) === "\n") return undefined;
  const groups = countGroups(tokens, 1);
  const last = tokens.at(1 + groups) ?? number;
  return { start: token.start, end: endOfScale(tokens, 1 + groups, last.end) };
}

/** `10 euros`, `1 299,00 EUR`, `5k USD`, `20 US dollars` */
function matchNumber(tokens: Tokens, token: Token): Span | undefined {
  if ((token.traits & DIGIT) === 0 || !LONE_NUMBER.test(token.text)) return undefined;
  const groups = countGroups(tokens, 0);
  return endAtCurrency(tokens, token, groups) ?? (groups > 0 ? endAtCurrency(tokens, token, 0) : undefined);
}

/** `twenty dollars`, `two hundred euros` */
function matchWords(tokens: Tokens, token: Token): Span | undefined {
  const isArticle = token.lower === "a" && MAGNITUDES.has(tokens.lower(1));
  if (!isArticle && !isNumberWord(token.lower)) return undefined;
  let last = 0;
  while (last < 6 && (isNumberWord(tokens.lower(last + 1)) || MAGNITUDES.has(tokens.lower(last + 1))))
    last += 1;
  return endAtCurrency(tokens, token, last);
}

const isNumberWord = (word: string): boolean =>
  NUMBER_WORDS.has(word) || (word.includes("-") && NUMBER_WORDS.has(word.split("-")[0] ?? ""));

/** The span up to a currency after the number whose last token has a distance. */
function endAtCurrency(tokens: Tokens, token: Token, distance: number): Span | undefined {
  let at = distance;
  if (MAGNITUDES.has(tokens.lower(at + 1)) && tokens.isNextTo(at)) at += 1;
  for (let i = 0; i < 2 && NATIONS.has(tokens.lower(at + 1)) && tokens.isNextTo(at); i++) at += 1;
  const currency = tokens.at(at + 1);
  if (currency === undefined || !tokens.isNextTo(at)) return undefined;
  const isCurrency =
    CODES.has(currency.text) ||
    WORDS.has(currency.lower) ||
    LONE_SYMBOL.test(currency.text) ||
    currency.text === "¢";
  if (!isCurrency || isWeight(tokens, at + 1)) return undefined;
  const hasNation = tokens.lower(at + 2) === "sterling" && tokens.isNextTo(at + 1);
  return { start: token.start, end: (hasNation ? tokens.at(at + 2) : currency)?.end ?? currency.end };
}

/** "five pounds of flour", "won 3 games" */
function isWeight(tokens: Tokens, distance: number): boolean {
  const word = tokens.lower(distance);
  const after = tokens.lower(distance + 1);
  if (word === "won" || word === "rand") return tokens.between(distance) === " " && /^\p{Ll}/u.test(after);
  return (
    word.startsWith("pound") && ["of", "heavy", "heavier", "lighter", "overweight", "per"].includes(after)
  );
}

/** Number of tokens that are further groups of three digits of the number at a distance. */
function countGroups(tokens: Tokens, distance: number): number {
  if (!FIRST_GROUP.test(tokens.lower(distance))) return 0;
  let groups = 0;
  while (
    groups < 4 &&
    tokens.isNextTo(distance + groups) &&
    NEXT_GROUP.test(tokens.lower(distance + groups + 1))
  ) {
    groups += 1;
  }
  return groups;
}

/** The end of `million` and of a code of the currency, if they follow. */
function endOfScale(tokens: Tokens, distance: number, end: number): number {
  let at = distance;
  if (MAGNITUDES.has(tokens.lower(at + 1)) && tokens.isNextTo(at)) at += 1;
  if (CODES.has(tokens.at(at + 1)?.text ?? "") && tokens.isNextTo(at)) at += 1;
  return at === distance ? end : (tokens.at(at)?.end ?? end);
}

const isInCode = ({ text }: Tokens, { start, end }: Token): boolean =>
  /[`"'{(=]/.test(text.charAt(start - 1)) || /[`"'})]/.test(text.charAt(end));
