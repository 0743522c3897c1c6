import { createMessages } from "./messages.mjs";

/** A server for each store, called with its own protocol over TCP. */
export function createStores(directory, embedder, found) {
  return async (name) => {
    const messages = await createMessages(directory, name, embedder);
    await messages.clear();
    const search = (way) => async (query) => (await messages[way](query, found)).map(Number);
    return {
      append: (talk, lines) =>
        messages.insert(
          lines.map(({ place, role, name, content, createdAtMs }) => ({
            id: String(place),
            text: content,
            metadata: { talk: talk.id, role, name, createdAtMs },
          })),
        ),
      async settle() {},
      searches: { hybrid: search("hybrid"), semantic: search("semantic") },
      close: messages.stop,
    };
  };
}
