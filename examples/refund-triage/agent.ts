// An agent that decides refunds from what it remembers, and otherwise when that changes. Needs a running service, and a
// key with every scope.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { openDesk } from "./desk.ts";
import type { RefundRequest } from "./model.ts";
import { NOTES, REQUESTS } from "./notes.ts";

const desk = await openDesk({
  url: process.env.ENGRAM_URL ?? "http://127.0.0.1:8787",
  apiKey: process.env.ENGRAM_API_KEY ?? localKey(),
});
// Those who run the shop say what is to be remembered; the agent finds it.
const ids = await desk.tell(Object.values(NOTES));
assert.equal(ids.size, 10);

assert.equal(await triage(REQUESTS.maria), "approve");
assert.equal(await triage(REQUESTS.jon), "escalate");
assert.equal(await triage(REQUESTS.flagged), "deny");
assert.equal(await triage(REQUESTS.promised), "approve");
assert.equal(await triage(REQUESTS.downloaded), "deny");
assert.equal(await triage(REQUESTS.unknown), "escalate");
// What the agent has granted it remembers itself.
assert.equal(await triage(REQUESTS.maria), "deny");

console.log("The fraud flag is lifted, and the limit is raised.");
const { memories } = desk.operator;
await memories.delete(ids.get(NOTES.flagged) ?? "");
await memories.update(ids.get(NOTES.limits) ?? "", { content: NOTES.limits.replace("100", "300") });
assert.equal(await triage(REQUESTS.flagged), "approve");
assert.equal(await triage(REQUESTS.unknown), "approve");
await desk.close();

/** Have a request decided, and show what the decision follows from. */
async function triage(request: RefundRequest) {
  const { verdict, because, recalled } = await desk.triage(request);
  console.log(`${request.customer} wants ${request.euros} euros for order ${request.order}`);
  console.log(`  (recalls ${recalled.length} notes)`);
  for (const { content } of because) console.log(`  ${content}`);
  console.log(`  agent: ${verdict}`);
  return verdict;
}

/** The key that `npm start` left in the repository. */
function localKey(): string {
  try {
    return readFileSync(new URL("../../.engram/key", import.meta.url), "utf8").trim();
  } catch {
    throw new Error("No key: start the service with `npm start`, or set ENGRAM_API_KEY.");
  }
}
