import type { Span } from "./kinds.ts";
import type { Token } from "./tokens.ts";

const EMAIL = /^(?:mailto:)?([\p{L}\p{N}._%+'-]+@(?:[\p{L}\p{N}-]+\.)+\p{L}{2,})$/u;
/** `icon@2x.png` is a file. */
const IMAGE = /\.(?:png|jpe?g|gif|svg|webp)$/i;

/** An address with a domain. Git's `git@host:path` has more than an address, so that it does not match. */
export function matchEmail(token: Token): Span | undefined {
  if (!token.text.includes("@")) return undefined;
  const address = EMAIL.exec(token.text)?.[1];
  if (address === undefined || IMAGE.test(address)) return undefined;
  return { start: token.end - address.length, end: token.end };
}
