// A LangChain runnable with its history in Engram, and a LangGraph store. Needs a running service.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { EngramChatMessageHistory, EngramStore } from "@engram/sdk/langchain";
import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { RunnableLambda, RunnableWithMessageHistory } from "@langchain/core/runnables";
import { engram } from "./client.ts";
import { answer } from "./model.ts";

const guest = `maria-${randomUUID()}`;
const concierge = new RunnableWithMessageHistory({
  // Replace this with a chat model in a real program.
  runnable: RunnableLambda.from((messages: BaseMessage[]) => answer(messages.map(({ text }) => text))),
  getMessageHistory: (sessionId: string) =>
    new EngramChatMessageHistory(engram, sessionId, { user_id: guest }),
});

const configurable = { sessionId: `stay-${randomUUID()}` };
await concierge.invoke([new HumanMessage("I'm allergic to walnuts, badly.")], { configurable });
const reply = await concierge.invoke([new HumanMessage("Could you book me a table for dinner?")], {
  configurable,
});
console.log(`agent: ${reply}`);
assert.equal(reply, "Booked for eight. I told the kitchen about your allergy to walnuts.");

// The store keeps facts for all sessions.
const store = new EngramStore(engram);
await store.put(["guests", guest], "diet", { text: "Allergic to walnuts", severe: true });
await store.put(["guests", guest], "room", { text: "Wants a quiet room" });
const [diet] = await store.search(["guests", guest], { query: "allergic to which nuts?" });
console.log(`store: ${diet?.value.text}`);
assert.deepEqual(diet?.value, { text: "Allergic to walnuts", severe: true });
