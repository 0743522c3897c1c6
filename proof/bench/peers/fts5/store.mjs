import { join } from "node:path";
import { createMessages } from "./messages.mjs";

/** A file for each store. SQLite's calls in Node are synchronous, so one is in progress at a time. */
export function createStores(directory, _embedder, found) {
  return async (name) => {
    const { add, search, close } = createMessages(join(directory, `${name}.db`));
    return {
      append: (_talk, lines) => add(lines.map(({ place, content }) => ({ id: place, text: content }))),
      async settle() {},
      searches: { keyword: (query) => search(query, found) },
      close,
    };
  };
}
