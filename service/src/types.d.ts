declare module "wink-porter2-stemmer" {
  /** Stem of a lower-case English word, by Porter's second algorithm. */
  export default function stem(word: string): string;
}

// TypeScript's library does not have these yet. V8 has them since version 14.
interface Uint8Array {
  toBase64(): string;
}
interface Uint8ArrayConstructor {
  /** @throws {SyntaxError} for a text that is not base64. */
  fromBase64(text: string): Uint8Array<ArrayBuffer>;
}
