// An agent that decides refunds from its memories, and decides differently when they change. Needs a running
// service, and a key with every scope.
import assert from "node:assert/strict";
import { findService } from "../service.ts";
import { openDesk } from "./desk.ts";
import type { RefundRequest } from "./model.ts";
import { NOTES, REQUESTS } from "./notes.ts";

const desk = await openDesk(await findService());
// The shop's staff add the notes; the agent searches them.
const ids = await desk.tell(Object.values(NOTES));
assert.equal(ids.size, 10);

assert.equal(await triage(REQUESTS.maria), "approve");
assert.equal(await triage(REQUESTS.jon), "escalate");
assert.equal(await triage(REQUESTS.flagged), "deny");
assert.equal(await triage(REQUESTS.promised), "approve");
assert.equal(await triage(REQUESTS.downloaded), "deny");
assert.equal(await triage(REQUESTS.unknown), "escalate");
// The agent remembers the refunds that it granted.
assert.equal(await triage(REQUESTS.maria), "deny");

console.log("The fraud flag is lifted, and the limit is raised.");
const { memories } = desk.operator;
await memories.delete(ids.get(NOTES.flagged) ?? "");
await memories.update(ids.get(NOTES.limits) ?? "", { content: NOTES.limits.replace("100", "300") });
assert.equal(await triage(REQUESTS.flagged), "approve");
assert.equal(await triage(REQUESTS.unknown), "approve");
await desk.close();

/** Decide a request, and print the notes that led to the decision. */
async function triage(request: RefundRequest) {
  const { verdict, because, recalled } = await desk.triage(request);
  console.log(`${request.customer} wants ${request.euros} euros for order ${request.order}`);
  console.log(`  (recalls ${recalled.length} notes)`);
  for (const { content } of because) console.log(`  ${content}`);
  console.log(`  agent: ${verdict}`);
  return verdict;
}
