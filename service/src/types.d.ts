declare module "wink-porter2-stemmer" {
  /** Stem of a lower-case English word, by Porter's second algorithm. */
  export default function stem(word: string): string;
}

// The types of Workers do not have the modules of Node, which the runtime has.
declare module "node:zlib" {
  export function gzipSync(bytes: Uint8Array): Uint8Array;
  /** @throws {Error} if the bytes are damaged. */
  export function gunzipSync(bytes: Uint8Array): Uint8Array;
}

// TypeScript's library does not have these yet. V8 has them since version 14.
interface Uint8Array {
  toBase64(): string;
}
interface Uint8ArrayConstructor {
  /** @throws {SyntaxError} for a text that is not base64. */
  fromBase64(text: string): Uint8Array<ArrayBuffer>;
}
