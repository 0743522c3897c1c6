// What the bundle's external modules give: see bundle.ts.

declare module "*.bin" {
  const contents: ArrayBuffer;
  export default contents;
}

declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}

declare module "wink-porter2-stemmer" {
  /** Stem of an English word in lower case, by Porter's second algorithm. */
  export default function stem(word: string): string;
}
