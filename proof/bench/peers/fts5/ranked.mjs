import { createMessages } from "./messages.mjs";

export function createStores() {
  return { open: async () => createMessages(":memory:"), async close() {} };
}
