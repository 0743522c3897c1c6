import { createMessages } from "./messages.mjs";

export async function createStores(directory, embedder) {
  const messages = await createMessages(directory, "ranked", embedder);
  return {
    async open() {
      await messages.clear();
      return { add: messages.insert, search: messages.hybrid, async close() {} };
    },
    close: messages.stop,
  };
}
