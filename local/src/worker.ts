// Replaces Workers AI and Vectorize on this machine.
//
// The bundle needs two external modules in the script's folder, imported by relative path (see
// bundle.ts): ../assets/use-pieces-256d-int8.bin of type "Data" and vectorize/scan.wasm of type
// "CompiledWasm". Export only handlers here: workerd treats every export as one.

export { LocalAI } from "./ai.ts";
export { LocalControl } from "./control.ts";
export { LocalVectorize } from "./vectorize/entrypoint.ts";
export { VectorStore } from "./vectorize/store.ts";

export default {
  fetch: () => new Response("Not found", { status: 404 }),
} satisfies ExportedHandler;
