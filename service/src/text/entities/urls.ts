import type { Span } from "./kinds.ts";

const URL_CHARACTERS_MAX = 2_048;
const SCHEME_CHARACTERS_MAX = 16;
const SCHEME = /(?<![a-z0-9])[a-z][a-z0-9+.-]*$/i;
/** What may stand in an address. Characters of scripts without spaces between words end it. */
const REST = /^[^\s\p{Cc}<>"`{}|\\^\u00a1«»\u2000-\u206f\u2190-\u2bff\u2e80-\u{10ffff}]*/u;
const FIRST = /^[\p{L}\p{N}[~/]/u;
const AFTER = ".,:;!?'*_~)]-";

/** Finds addresses with a scheme, and those that begin with `www.`, in the order of the text. */
export function findUrls(text: string, most: number): Span[] {
  const urls: Span[] = [];
  let from = 0;
  let colon = text.indexOf("://");
  let www = indexOfWww(text, 0);
  while (urls.length < most && (colon >= 0 || www >= 0)) {
    const isWww = www >= 0 && (colon < 0 || www < colon);
    const host = isWww ? www + 4 : colon + 3;
    const start = isWww ? www : startOfScheme(text, colon, from);
    from = host;
    if (start !== undefined) {
      const rest = REST.exec(text.slice(host, host + URL_CHARACTERS_MAX))?.[0] ?? "";
      const address = rest.slice(0, lengthWithoutSigns(rest));
      const isWhole = rest.length < URL_CHARACTERS_MAX && FIRST.test(address);
      if (isWhole) urls.push({ start, end: host + address.length });
      from = host + rest.length;
    }
    if (colon >= 0 && colon < from) colon = text.indexOf("://", from);
    if (www >= 0 && www < from) www = indexOfWww(text, from);
  }
  return urls;
}

function startOfScheme(text: string, colon: number, from: number): number | undefined {
  const before = text.slice(Math.max(from, colon - SCHEME_CHARACTERS_MAX), colon);
  const scheme = SCHEME.exec(before);
  return scheme === null ? undefined : colon - scheme[0].length;
}

function indexOfWww(text: string, from: number): number {
  for (let at = text.indexOf("www.", from); at >= 0; at = text.indexOf("www.", at + 4)) {
    if (at === 0 || !/[\p{L}\p{N}./@-]/u.test(text.charAt(at - 1))) return at;
  }
  return -1;
}

/** Length of an address without the signs of the sentence at its end, and without a bracket that it does not open. */
function lengthWithoutSigns(address: string): number {
  let unclosed = 0;
  for (const each of address) unclosed += each === "(" ? 1 : each === ")" ? -1 : 0;
  let length = address.length;
  for (; length > 0 && AFTER.includes(address.charAt(length - 1)); length--) {
    if (address.charAt(length - 1) !== ")") continue;
    if (unclosed >= 0) break;
    unclosed += 1;
  }
  return length;
}
