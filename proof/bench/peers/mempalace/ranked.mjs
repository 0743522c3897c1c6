import { createPythonStores } from "../python.mjs";

export const createStores = (directory, embedder) => createPythonStores("mempalace", directory, embedder);
