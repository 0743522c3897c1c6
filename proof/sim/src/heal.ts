import { Client } from "./clients/client.ts";
import { liftAll } from "./clients/holds.ts";
import { readImport } from "./clients/imports.ts";
import { enrichMemories } from "./clients/memories.ts";
import { judgeMoves, judgePlace } from "./clients/moves.ts";
import { judgeDeletions, repairIndex, settleOrganization } from "./clients/organizations.ts";
import { getMemory, listConversations, listMemories, listMessages } from "./clients/reads.ts";
import { judgeResults, MODES } from "./clients/searches.ts";
import { listSummaries } from "./clients/summaries.ts";
import { wordIn, wordOf } from "./clients/texts.ts";
import type {
  ConversationModel,
  MemoryModel,
  MessageModel,
  Model,
  OrganizationModel,
} from "./model/model.ts";
import {
  isOrganizationGone,
  mayOrganizationBeGone,
  mayShowMemory,
  mustShow,
  mustShowMemory,
  mustShowMessage,
  possibleContents,
} from "./model/presence.ts";
import { LAG_MAX_MS } from "./ports/vector-index.ts";
import { expect } from "./violation.ts";
import { FILTERED_MAX, type World } from "./world.ts";

const CRON_MS = 60_000;
/** One hour. Failed work is retried within ten minutes. */
const SWEEPS_MAX = 60;
/** Longer than the time between two applications of a rule of retention. */
const RULES_MS = 3_700_000;
/** Requests to each deleted organization between two sweeps. */
const ASKED_OF_GONE = 3;
/** Longer than any call can be in transit. */
const LAND_MS = 70_000;
/** Messages and memories per organization that are searched individually. */
const SEARCHES_MAX = 2;
const RESULTS_MAX = 50;

/** The log of a cell that repeats a step of its move a second later, which it does without end if the copy is wrong. */
const MOVE_FAILED = '"event":"move failed"';

/** Counts the remaining work in the tables that record it. */
const REMAINING = `
  SELECT (SELECT count(*) FROM index_jobs) AS jobs,
         (SELECT count(*) FROM late_words) AS late_words,
         (SELECT count(*) FROM index_jobs WHERE attempts >= 10) AS given_up,
         (SELECT count(*) FROM vector_deletions) AS deletions,
         (SELECT count(*) FROM enrichment_jobs) AS undescribed,
         (SELECT count(*) FROM summary_jobs) AS unsummarized,
         (SELECT count(*) FROM conversations WHERE deleted_at_ms IS NOT NULL) AS hidden,
         (SELECT count(*) FROM organizations WHERE deleted_at_ms IS NOT NULL) AS organizations,
         (SELECT count(*) FROM tombstones WHERE lifted_at_ms IS NOT NULL) AS lifted,
         (SELECT count(*) FROM conversations WHERE deleted_at_ms IS NULL AND expires_at_ms <= ?1) AS expired,
         -- The rules of the simulator's clients, which are of memories.
         (SELECT count(*) FROM retention_rules AS r
            JOIN conversations AS c ON c.organization_id = r.organization_id AND c.kind <> 'conversation'
                                   AND c.created_at_ms < ?1 - r.older_than_days * 86400000
                                   AND c.user_id IS coalesce(r.filter ->> 'user_id', c.user_id)
           WHERE r.dry_run = 0 AND c.deleted_at_ms IS NULL) AS due,
         (SELECT count(*) FROM moves WHERE completed_at_ms IS NULL) AS moves,
         -- Imports wait for further lines for a week.
         (SELECT count(*) FROM operations
           WHERE completed_at_ms IS NULL AND (type <> 'import' OR canceled_at_ms IS NOT NULL)) AS operations`;

/**
 * Wait until all background work is complete, without further faults.
 *
 * @param isBackfilled Whether memories may have been captured before the text model was configured. All are
 *   enriched now.
 * @throws {Violation} When the work does not complete.
 */
export async function heal(world: World, model: Model, isBackfilled: boolean): Promise<void> {
  const { clock } = world;
  await clock.sleep(LAND_MS);
  const begun = world.trace.lines.length;
  for (const organization of model.organizations) {
    await settleOrganization(faultlessClient(world, model, organization));
  }
  if (model.organizations.some(({ hasCustodian }) => hasCustodian)) {
    for (const organization of liveOrganizations(world, model))
      await liftAll(faultlessClient(world, model, organization));
    // Each rule is due once more.
    await clock.sleep(RULES_MS);
  }
  if (isBackfilled) {
    for (const organization of liveOrganizations(world, model))
      await enrichMemories(faultlessClient(world, model, organization));
  }
  for (let sweeps = 0; ; sweeps++) {
    const remaining = remainingIn(world);
    if (Object.values(remaining).every((count) => count === 0)) break;
    expect(
      sweeps < SWEEPS_MAX,
      "healing",
      () => `after ${sweeps} sweeps there is ${JSON.stringify(remaining)}`,
    );
    if ((remaining.given_up ?? 0) > 0) {
      for (const organization of liveOrganizations(world, model))
        await repairIndex(faultlessClient(world, model, organization));
    }
    for (let asked = 0; asked < ASKED_OF_GONE; asked++) {
      await clock.sleep(CRON_MS / ASKED_OF_GONE);
      await askGone(world, model);
    }
    await world.sweep();
    const failed = world.trace.lines.slice(begun).find((line) => line.includes(MOVE_FAILED));
    expect(failed === undefined, "healing", () => `a move fails without a fault: ${failed}`);
  }
  await clock.sleep(LAG_MAX_MS);
}

/** The remaining work in all databases, and the cells that are not erased yet. The alarms of cells do their part. */
function remainingIn({ cells, clock, database, databases }: World): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const one of databases)
    for (const counts of one.select<Record<string, number>>(REMAINING, clock.nowMs()))
      for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
  const unlisted = (cells?.databases() ?? []).filter(
    ([id]) =>
      database.select("SELECT 1 FROM organizations WHERE id = ?1 AND place = 'cell'", id).length === 0,
  );
  return { ...sums, unerased: unlisted.length };
}

/**
 * Uses the keys of deleted organizations that are or were in cells. An isolate that does not know yet that the cell is erased calls it, and
 * it is erased again.
 */
async function askGone(world: World, model: Model): Promise<void> {
  const span = { begin: world.clock.step, end: world.clock.step };
  for (const organization of model.organizations) {
    const wasInCell = organization.place === "cell" || organization.hasMoved;
    if (!wasInCell || !isOrganizationGone(organization, span)) continue;
    const client = faultlessClient(world, model, organization);
    const ask = { name: "try the deleted", method: "GET", path: "/v1/conversations" } as const;
    const { answer } = await client.ask(ask);
    expect(
      answer?.status === 401,
      "deleted",
      () => `${organization.id} is gone and answers ${answer?.status}`,
    );
  }
}

/** Read everything through the service. Every response must now be complete. @throws {Violation} */
export async function readAll(world: World, model: Model): Promise<void> {
  for (const organization of liveOrganizations(world, model)) {
    const client = faultlessClient(world, model, organization);
    await listConversations(client, 100);
    const step = { begin: client.step, end: client.step };
    for (const conversation of organization.conversations) {
      if (conversation.id !== null) await listMessages(client, conversation, 1_000);
    }
    for (const conversation of organization.conversations)
      if (mustShow(conversation, step)) await listSummaries(client, conversation);
    const messages = organization.conversations.flatMap(({ messages }) => messages);
    const present = messages.filter((message) => mustShowMessage(message, step));
    for (const message of present.slice(-SEARCHES_MAX)) await find(client, message);
    await listMemories(client, 100);
    const presentMemories = organization.memories.filter((memory) => mustShowMemory(memory, step));
    for (const memory of presentMemories.slice(-SEARCHES_MAX)) await findMemory(client, memory);
    for (const one of model.imports) if (one.organization === organization) await readImport(client, one);
    await judgeStatus(client);
    await judgePlace(client);
  }
  const operator = (organization: OrganizationModel) => faultlessClient(world, model, organization);
  await judgeMoves(operator, model);
  for (const organization of model.organizations)
    await judgeDeletions(faultlessClient(world, model, organization));
}

async function find(client: Client, message: MessageModel): Promise<void> {
  const word = wordOf(message.marker);
  for (const mode of MODES) {
    const { results, degraded, span } = await search(client, "/v1/search", {
      query: word,
      mode,
      limit: RESULTS_MAX,
      conversation_id: idOf(message.conversation),
    });
    const { messages: found } = judgeResults(client, results, span);
    const mustBeFound =
      mode === "semantic" || possibleContents(message, span).every((content) => content.includes(word));
    // In semantic mode every message matches, and a result holds only the best 50. In the other modes, the
    // one with the word is the best.
    const isCut = mode === "semantic" && results.some((result: object) => "cut" in result);
    if (!mustBeFound || isCut || degraded.length > 0 || results.length === RESULTS_MAX) continue;
    expect(found.has(message), "findable", () => `${message.id} is not found in ${mode} mode`);
  }
}

async function findMemory(client: Client, memory: MemoryModel): Promise<void> {
  await getMemory(client, memory);
  const metadata = { marker: memory.marker };
  const { organization, step } = client;
  const now = { begin: step, end: step };
  const [content, ...others] = memory.content.possible(now);
  if (content === undefined || others.length > 0) return;
  const word = wordIn(content);
  // A search with a filter by metadata compares at most `FILTERED_MAX` memories with it, and says so. More can hold the
  // word: memories of different agents and users, and those with an external id, may have the same content.
  const holders = organization.memories.filter(
    (other) => mayShowMemory(other, now) && other.content.possible(now).some((text) => text.includes(word)),
  );
  const isBounded = holders.length > FILTERED_MAX;
  for (const mode of MODES) {
    const body = { query: word, mode, limit: RESULTS_MAX, metadata };
    const { results, degraded, span } = await search(client, "/v1/memories/search", body, isBounded);
    const { memories: found } = judgeResults(client, results, span);
    const isPartial = degraded.includes("keyword_partial") || (mode === "semantic" && degraded.length > 0);
    if (isPartial && found.size === 0) continue;
    expect(
      found.has(memory) && found.size === 1,
      "findable",
      () => `${memory.id} is not found in ${mode} mode`,
    );
  }
}

/**
 * A search that must be complete: no service fails, and nothing is pending.
 *
 * @param isBounded Whether more items hold the words than the service compares with the filter.
 */
async function search(client: Client, path: string, body: Record<string, unknown>, isBounded = false) {
  const { answer, span } = await client.ask({ name: `find ${body.mode}`, method: "POST", path, body });
  const { results, degraded, pending } = answer?.body ?? {};
  // `semantic_partial` is allowed: a conversation of long messages has more vectors than one query returns,
  // and a filter may have more items to compare.
  const isWhole = degraded.every(
    (what: string) => what === "semantic_partial" || (isBounded && what === "keyword_partial"),
  );
  expect(
    isWhole && pending === 0,
    "findable",
    () => `searching answers degraded ${degraded} and ${pending} pending`,
  );
  return { results, degraded, span };
}

async function judgeStatus(client: Client): Promise<void> {
  const { answer } = await client.ask({ name: "get index status", method: "GET", path: "/v1/index" });
  const { pending, failed, deletions_pending } = answer?.body ?? {};
  expect(
    pending === 0 && failed === 0 && deletions_pending === 0,
    "healing",
    () => `the index says ${JSON.stringify(answer?.body)}`,
  );
}

const idOf = ({ id }: ConversationModel): string | undefined => id ?? undefined;

export const liveOrganizations = ({ clock }: World, { organizations }: Model): OrganizationModel[] =>
  organizations.filter((one) => !mayOrganizationBeGone(one, { begin: clock.step, end: clock.step }));

/** A client for which no request may fail, with the key that is never revoked. */
function faultlessClient(world: World, model: Model, organization: OrganizationModel): Client {
  organization.keys = organization.keys.slice(0, 1);
  const client = new Client(world, model, organization);
  client.isClear = true;
  return client;
}
