import { RECALL_DAYS, type Recall, type RecalledItem } from "@engram/spec";
import { toTimestamp, toTimestampOrNull } from "../platform/batch.ts";
import { createdAtOf, isMemoryId } from "../platform/ids.ts";
import type { StoredAnswer, StoredGroup, StoredItem } from "./answers.ts";
import type { RecallRow } from "./queries.ts";

export const RECALL_MS = RECALL_DAYS * 24 * 3_600_000;

/** The column `answer`, as JSON. */
export type StoredRecall = StoredAnswer & Pick<Recall, "models" | "rules">;

/** The version of a memory, or the time of the last change to a message. Absent if there is none. */
export type Versions = Readonly<Record<string, number | null>>;

export const toItems = ({ groups }: Pick<StoredAnswer, "groups">, versions: Versions): RecalledItem[] =>
  groups.flatMap((group) => group.items.map((item) => toItem(group, item, versions)));

function toItem(
  { part, conversation, relevance }: StoredGroup,
  [id, hash, sequence, score, start, end]: StoredItem,
  versions: Versions,
): RecalledItem {
  const isMemory = isMemoryId(id);
  const version = versions[id] ?? null;
  return {
    type: isMemory ? "memory" : "message",
    id,
    part,
    conversation_id: conversation,
    sequence,
    version: isMemory ? version : null,
    updated_at: isMemory ? null : toTimestampOrNull(version),
    hash,
    score,
    relevance,
    ...(start !== undefined && { content_start: start }),
    ...(end !== undefined && { content_end: end }),
  };
}

export function toRecall(row: RecallRow): Recall {
  const { groups, layout, tokens, degraded, pending, models, rules } = JSON.parse(row.answer) as StoredRecall;
  const items = toItems({ groups }, JSON.parse(row.versions) as Versions);
  const createdMs = createdAtOf(row.id);
  return {
    id: row.id,
    operation: row.operation,
    request: JSON.parse(row.request) as Recall["request"],
    agent_id: row.of_agent_id,
    user_id: row.of_user_id,
    key: { id: row.key_id, agent_id: row.agent_id, user_id: row.user_id },
    run_id: row.run_id,
    metadata: JSON.parse(row.metadata) as Recall["metadata"],
    items,
    layout: layout.map(({ part, ...counts }) => ({
      part,
      items: items.filter((item) => item.part === part).length,
      ...counts,
    })),
    tokens,
    degraded,
    pending,
    models,
    rules,
    used: row.used === null ? null : (JSON.parse(row.used) as string[]),
    outcome: row.outcome,
    noted_at: toTimestampOrNull(row.noted_at_ms),
    created_at: toTimestamp(createdMs),
    expires_at: toTimestamp(createdMs + RECALL_MS),
  };
}

/** A receipt of an export, as a row. */
export function toRecallRow(recall: Recall): RecallRow {
  const { items, layout, tokens, degraded, pending, models, rules } = recall;
  const versions = items.flatMap(({ id, version, updated_at }) => {
    const known = updated_at === null ? version : Date.parse(updated_at);
    return known === null ? [] : [[id, known] as const];
  });
  const answer: StoredRecall = {
    groups: groupsOf(items),
    layout: layout.map(({ items: _, ...part }) => part),
    ...{ tokens, degraded, pending, models, rules },
  };
  return {
    id: recall.id,
    operation: recall.operation,
    key_id: recall.key.id,
    agent_id: recall.key.agent_id,
    user_id: recall.key.user_id,
    of_agent_id: recall.agent_id,
    of_user_id: recall.user_id,
    run_id: recall.run_id,
    answer: JSON.stringify(answer),
    versions: JSON.stringify(Object.fromEntries(versions)),
    request: JSON.stringify(recall.request),
    metadata: JSON.stringify(recall.metadata),
    used: recall.used === null ? null : JSON.stringify(recall.used),
    outcome: recall.outcome,
    noted_at_ms: recall.noted_at === null ? null : Date.parse(recall.noted_at),
  };
}

/** Neighboring items with the same list, conversation and relevance are a group. */
function groupsOf(items: readonly RecalledItem[]): StoredGroup[] {
  const groups: StoredGroup[] = [];
  for (const { part, conversation_id: conversation, relevance, ...item } of items) {
    const { id, hash, sequence, score, content_start: start, content_end: end } = item;
    const stored: StoredItem = [id, hash, sequence, score];
    if (start !== undefined && end !== undefined) stored.push(start, end);
    const last = groups.at(-1);
    if (last?.part === part && last.conversation === conversation && last.relevance === relevance)
      last.items.push(stored);
    else groups.push({ part, conversation, relevance, items: [stored] });
  }
  return groups;
}
