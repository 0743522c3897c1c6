// An agent with memory: it recalls in one session what a guest said in an earlier one. Needs a running
// service.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { Engram } from "@engram/sdk";
import { findService } from "../service.ts";
import { decide } from "./model.ts";

const AGENT_ID = "concierge";
const client = new Engram(await findService());

// New guests for each run, so that memories of earlier runs do not interfere.
const maria = `maria-${randomUUID()}`;
const jon = `jon-${randomUUID()}`;

const first = await hold("Arrival", maria, [
  "Hello! Is there a gym in the hotel?",
  "One more thing: I'm allergic to walnuts, badly.",
  "And can I have a late check-out on Sunday?",
]);
const second = await hold("Dinner", maria, ["Could you book me a table for dinner tonight?"]);
assert.equal(second.replies.at(-1), "Booked for eight. I told the kitchen about your allergy to walnuts.");
assert.deepEqual(second.recalledFrom, [first.conversationId]);

// Memories of one guest are not visible to another.
const other = await hold("Dinner", jon, ["Could you book me a table for dinner tonight?"]);
assert.equal(other.replies.at(-1), "Gladly. Is there anything that you cannot eat?");

/** Run one session with a guest: store each message, and search for what the model wants to recall. */
async function hold(title: string, guest: string, lines: string[]) {
  const { id } = await client.conversations.create({ title, agent_id: AGENT_ID, user_id: guest });
  const recalledFrom = new Set<string>();
  const replies: string[] = [];
  console.log(`${title}, with ${guest.split("-")[0]}`);
  for (const line of lines) {
    let step = decide(line, null);
    if ("recall" in step) {
      const results = await recall(step.recall, guest);
      for (const result of results) recalledFrom.add(result.conversation_id);
      console.log(`  (recalls "${step.recall}": ${results.length} found)`);
      step = decide(
        line,
        results.flatMap((result) => result.messages.map((message) => message.content)),
      );
    }
    const reply = "say" in step ? step.say : "";
    await client.messages.append(id, {
      messages: [
        { role: "user", content: line },
        { role: "assistant", content: reply },
      ],
      wait: "indexed",
    });
    console.log(`  guest: ${line}\n  agent: ${reply}`);
    replies.push(reply);
  }
  return { conversationId: id, replies, recalledFrom: [...recalledFrom] };
}

/** Search this guest's earlier messages to this agent, best match first. */
async function recall(query: string, guest: string) {
  const { results } = await client.search({
    query,
    agent_id: AGENT_ID,
    user_id: guest,
    roles: ["user"],
    limit: 3,
  });
  return results;
}
