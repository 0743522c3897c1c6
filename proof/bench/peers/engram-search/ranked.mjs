import { createPythonStores } from "../python.mjs";

export const createStores = (directory, embedder) => createPythonStores("engram-search", directory, embedder);
