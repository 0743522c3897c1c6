// Two agents that work in one conversation and wait for each other. Needs a running service.
import assert from "node:assert/strict";
import { Engram, type Message } from "@engram/sdk";
import { findService } from "../service.ts";

const engram = new Engram(await findService());

const DONE = "Good.";
const drafts = ["The zeppelin lands at noon on the pier.", "The zeppelin lands at noon.", "Zeppelin: noon."];
const { id } = await engram.conversations.create({ title: "A headline" });

// Each agent may be a process of its own: they share nothing but the id of the conversation.
const writer = work("writer", ({ name }) => (name === "editor" ? drafts.shift() : undefined));
const editor = work("editor", ({ name, content }) => (name === "writer" ? review(content) : undefined));
await say("editor", "Write a headline.");
const [byWriter, byEditor] = await Promise.all([writer, editor]);

for (const { name, content } of byWriter) console.log(`${name}: ${content}`);
assert.equal(byWriter.length, 7);
assert.deepEqual(byWriter, byEditor, "both agents read the same messages in the same order");

function review(draft: string): string {
  const words = draft.split(" ").length;
  return words > 2 ? `${words} words. Make it shorter.` : DONE;
}

/** Reads the conversation as it grows, answers what is for this agent, and resolves to all messages. */
async function work(name: string, answer: (message: Message) => string | undefined): Promise<Message[]> {
  const messages: Message[] = [];
  for await (const message of engram.conversations.follow(id)) {
    messages.push(message);
    if (message.content === DONE) break;
    const reply = answer(message);
    if (reply !== undefined) await say(name, reply);
  }
  return messages;
}

async function say(name: string, content: string): Promise<void> {
  await engram.messages.append(id, { messages: [{ role: "assistant", name, content }] });
}
