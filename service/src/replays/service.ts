import {
  type ContextAnswer,
  ContextBody,
  type RecalledItem,
  type Replay,
  type ReplayCause,
  type SearchAnswer,
  SearchBody,
  SearchMemoriesBody,
} from "@engram/spec";
import { getContext, toInput } from "../contexts/service.ts";
import { ApiError } from "../errors.ts";
import type { KeyCaller } from "../invocation.ts";
import { toTimestamp } from "../platform/batch.ts";
import { createdAtOf, isMemoryId } from "../platform/ids.ts";
import { type StoredRecall, toItems, type Versions } from "../recalls/fields.ts";
import type { RecallRow } from "../recalls/queries.ts";
import { RULES_VERSION } from "../recalls/rules.ts";
import { getRecallRow, modelsOf, type RecalledBody, toStored } from "../recalls/service.ts";
import { search, searchMemories } from "../search/service.ts";
import { conversationIdNames, memoryIdNames, messageIdNames, type Name } from "../tombstones/hashes.ts";
import { findForgotten, tombstoneKeyFor } from "../tombstones/service.ts";
import { differencesOf, type OwnCause, withCauses } from "./differences.ts";
import { selectItemStates } from "./queries.ts";

/**
 * Sends the request of a receipt again and compares the answers. The search has the binding of the key that recorded it,
 * which the caller has too, or none.
 *
 * @throws {ApiError} `not_found`, and the errors of a search.
 */
export async function replayRecall(caller: KeyCaller, id: string): Promise<Replay> {
  const { db, principal, runtime } = caller;
  const row = await getRecallRow(caller, id);
  const body = JSON.parse(row.request) as RecalledBody;
  const stored = JSON.parse(row.answer) as StoredRecall;
  const key = await tombstoneKeyFor(caller);
  const replayedMs = runtime.nowMs();
  const { agent_id: agentId, user_id: userId } = row;
  const answer = await askAgain({ ...caller, principal: { ...principal, agentId, userId } }, row, body);
  const { groups } = await (answer === null ? { groups: [] } : toStored(key, body, answer));
  const before = toItems(stored, JSON.parse(row.versions) as Versions);
  const ids = [...new Set([...before, ...toItems({ groups }, {})].map((item) => item.id))];
  const states = await selectItemStates(db, principal.organizationId, {
    memoryIds: ids.filter(isMemoryId),
    messageIds: ids.filter((item) => !isMemoryId(item)),
  });
  const stateOf = new Map(states.map((state) => [state.id, state]));
  const now = toItems({ groups }, Object.fromEntries(states.map(({ id: item, version }) => [item, version])));
  const gone = before.filter((item) => !stateOf.has(item.id));
  const forgotten = await findForgotten(caller, key, gone, namesOf);
  const recalledMs = createdAtOf(id);
  const known = new Map(before.map((item) => [item.id, item]));
  const ownCause = (item: RecalledItem): OwnCause | null => {
    const state = stateOf.get(item.id);
    if (state === undefined) return forgotten.has(item) ? "forgotten" : "deleted";
    const then = known.get(item.id);
    if (then === undefined && state.stored_at_ms >= recalledMs) return "newer";
    // In the same millisecond, the version tells what came first.
    const isLater =
      state.changed_at_ms > recalledMs ||
      (state.changed_at_ms === recalledMs && state.version !== (then && versionOf(then)));
    return isLater ? "edited" : null;
  };
  const models = modelsOf(caller, body);
  const degraded = answer?.degraded ?? [];
  const common = commonCause(stored, { models, degraded, pending: answer?.pending ?? stored.pending });
  const differences = withCauses(differencesOf(before, now), ownCause, common);
  return {
    recall_id: id,
    same: differences.length === 0,
    differences,
    degraded,
    models,
    rules: RULES_VERSION,
    replayed_at: toTimestamp(replayedMs),
  };
}

/**
 * The answer to the recorded request as if it were asked when it was recorded. Null if the request names a conversation,
 * or a message of it, that is not there any more.
 */
async function askAgain(
  caller: KeyCaller,
  { id, operation }: RecallRow,
  body: RecalledBody,
): Promise<SearchAnswer | ContextAnswer | null> {
  const askedAtMs = createdAtOf(id);
  // As of a moment of the past, memories hold at that moment.
  const held = { ...(body.as_of === undefined && { valid_at: toTimestamp(askedAtMs) }), ...body };
  try {
    switch (operation) {
      case "search":
        return await search(caller, { ...SearchBody.parse(held), askedAtMs });
      case "searchMemories":
        return await searchMemories(caller, { ...SearchMemoriesBody.parse(held), askedAtMs });
      case "getContext":
        return await getContext(caller, toInput(ContextBody.parse(held)));
    }
  } catch (error) {
    const isGone = error instanceof ApiError && ["not_found", "validation_failed"].includes(error.code);
    if (isGone && (body.conversation_id !== undefined || body.as_of !== undefined)) return null;
    throw error;
  }
}

/** As `ItemState` has it. */
const versionOf = ({ version, updated_at }: RecalledItem): number | null =>
  updated_at === null ? version : Date.parse(updated_at);

const namesOf = ({ id, conversation_id }: RecalledItem): Name[] =>
  conversation_id === null
    ? memoryIdNames(id)
    : [...messageIdNames(id), ...conversationIdNames(conversation_id)];

/** What concerns the whole search; null if nothing does. */
function commonCause(
  then: StoredRecall,
  now: Pick<StoredRecall, "models" | "degraded" | "pending">,
): ReplayCause | null {
  if (then.rules !== RULES_VERSION) return "rules_changed";
  if (then.models.embedding !== now.models.embedding) return "reembedded";
  if ([...then.degraded].sort().join() !== [...now.degraded].sort().join()) return "degraded";
  return then.pending > now.pending ? "indexed" : null;
}
