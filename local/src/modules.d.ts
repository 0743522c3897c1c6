// Types of modules that stay separate files in the bundle of the Worker, see bundle.ts.

declare module "*.bin" {
  const contents: ArrayBuffer;
  export default contents;
}

declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}

declare module "wink-porter2-stemmer" {
  /** Porter2 stem of an English word in lower case. */
  export default function stem(word: string): string;
}
