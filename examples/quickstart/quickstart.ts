// Store a conversation, then find it again by meaning. Needs a running service: `npm start`.
import assert from "node:assert/strict";
import { Engram } from "@engram/sdk";
import { findService } from "../service.ts";

const client = new Engram(await findService());

const conversation = await client.conversations.create({ title: "Order 1029", user_id: "maria" });
await client.messages.append(conversation.id, {
  messages: [
    { role: "user", name: "Maria", content: "The kettle leaks. I sent it back, when do I get my money?" },
    { role: "assistant", content: "Your refund left us on Tuesday. The bank takes three days." },
  ],
  wait: "indexed", // Keyword search finds them at once. This also waits for semantic search.
});

const { results } = await client.search({ query: "payment for a returned appliance", user_id: "maria" });
for (const { conversation, messages } of results) {
  console.log(conversation.title);
  for (const { name, role, content } of messages) console.log(`  ${name ?? role}: ${content}`);
}
assert.match(results[0]?.messages.at(-1)?.content ?? "nothing found", /refund left us on Tuesday/);
