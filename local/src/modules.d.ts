// What the bundle's external modules give: see bundle.ts.

declare module "*.bin" {
  const contents: ArrayBuffer;
  export default contents;
}

declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}
