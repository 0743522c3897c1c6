// The second Worker of the local runtime: what stands where Cloudflare's AI and Vectorize stand.
//
// Its bundle needs two modules beside the script, imported by relative path and left external
// (bundle.ts does it): ../assets/use-pieces-256d-int8.bin of type "Data" and vectorize/scan.wasm of type
// "CompiledWasm". Nothing but handlers may be exported here: workerd takes every export for one.

export { LocalAI } from "./ai.ts";
export { LocalControl } from "./control.ts";
export { LocalVectorize } from "./vectorize/entrypoint.ts";
export { VectorStore } from "./vectorize/store.ts";

export default {
  fetch: () => new Response("Not found", { status: 404 }),
} satisfies ExportedHandler;
