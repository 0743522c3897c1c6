// An agent of the OpenAI Agents SDK with its session in Engram. Needs a running service.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { EngramSession } from "@engram/sdk/openai-agents";
import { Agent, run, setTracingDisabled } from "@openai/agents-core";
import { assistantMessage, modelResponder, ScriptedModel } from "@openai/agents-core/testing";
import { engram } from "./client.ts";
import { answer } from "./model.ts";

setTracingDisabled(true); // Traces would be sent to OpenAI.

const reply = modelResponder(({ request }) => [assistantMessage(answer(request.input))]);
const concierge = new Agent({ name: "Concierge", model: new ScriptedModel([reply, reply]) });
const sessionId = `stay-${randomUUID()}`;

const guest = { user_id: "maria", agent_id: "concierge" };
const arrival = new EngramSession(engram, sessionId, guest);
await run(concierge, "I'm allergic to walnuts, badly.", { session: arrival });

// Simulates another process, which needs only the session's id and whose it is.
const evening = new EngramSession(engram, sessionId, guest);
const { finalOutput } = await run(concierge, "Could you book me a table for dinner?", { session: evening });
console.log(`agent: ${finalOutput}`);
assert.equal(finalOutput, "Booked for eight. I told the kitchen about your allergy to walnuts.");
assert.equal((await evening.getItems()).length, 4);
