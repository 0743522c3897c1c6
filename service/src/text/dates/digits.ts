import { DIGIT, OTHER_SCRIPT, type Token } from "../entities/tokens.ts";
import { toDigit } from "../fold.ts";

const DECIMALS = /\p{Nd}/gu;
const BEGINS_WITH_DIGIT = /^\p{Nd}/u;

/** Whether a token has digits of ASCII, or begins with one of another script. */
export const hasDigit = ({ traits, text }: Token): boolean =>
  (traits & DIGIT) !== 0 || ((traits & OTHER_SCRIPT) !== 0 && BEGINS_WITH_DIGIT.test(text));

/** The token's text with the digits of all scripts as those of ASCII: `२०२६` is `2026`. */
export const digitsOf = ({ traits, text }: Token): string =>
  (traits & OTHER_SCRIPT) === 0 ? text : text.replace(DECIMALS, toDigit);
