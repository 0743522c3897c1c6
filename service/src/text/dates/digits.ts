import { DIGIT, OTHER_SCRIPT, type Token } from "../entities/tokens.ts";

const DECIMAL = /\p{Nd}/u;
const DECIMALS = /\p{Nd}/gu;
const BEGINS_WITH_DIGIT = /^\p{Nd}/u;

/** Whether a token has digits of ASCII, or begins with one of another script. */
export const hasDigit = ({ traits, text }: Token): boolean =>
  (traits & DIGIT) !== 0 || ((traits & OTHER_SCRIPT) !== 0 && BEGINS_WITH_DIGIT.test(text));

/** The token's text with the digits of all scripts as those of ASCII: `२०२६` is `2026`. */
export const digitsOf = ({ traits, text }: Token): string =>
  (traits & OTHER_SCRIPT) === 0 ? text : text.replace(DECIMALS, (digit) => String(digitValue(digit)));

/** The digits of a script are ten characters in a row. */
function digitValue(digit: string): number {
  const code = digit.charCodeAt(0);
  if (code < 0x80) return code - 48;
  let value = 0;
  while (value < 9 && DECIMAL.test(String.fromCharCode(code - value - 1))) value += 1;
  return value;
}
