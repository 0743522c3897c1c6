import type { Invocation } from "../invocation.ts";
import { batch, run } from "../platform/sql.ts";
import { decodeText } from "../text/compression.ts";
import { toIndexedTerms, toTermPrefix } from "../text/index-terms.ts";
import * as queries from "./late-words-queries.ts";
import { areLate, LATE_MS, type MessageTerms, toPieces } from "./queries.ts";

/** Messages for which one sweep inserts the words. Only a write that failed halfway leaves any. */
const SWEEP_MESSAGES = 50;

/**
 * Inserts the words of messages that a large write has stored without them. Of a smaller write, nothing is left to do.
 *
 * The words of a megabyte keep D1 busy for a fifth of a second. Other requests get their turn between two
 * transactions.
 *
 * @param invocation without a key: the messages are stored, so the request has succeeded, even if its key is revoked now.
 * @param messages of the request. If it repeats one that failed after it had stored its messages, the stored ones have
 * other ids, and their words are computed again.
 */
export async function insertLateWords(
  invocation: Invocation,
  organizationId: string,
  { conversationIds, messages }: { conversationIds: string[]; messages: MessageTerms[] },
): Promise<void> {
  if (areLate(messages, invocation.limits))
    await insertLateWordsOf(invocation, organizationId, { conversationIds, messages });
}

/** Inserts the late words of these conversations and memories, whichever request stored them. */
export async function insertLateWordsOf(
  invocation: Invocation,
  organizationId: string,
  { conversationIds, messages }: { conversationIds: string[]; messages: MessageTerms[] },
): Promise<void> {
  const ids = new Set(await run(invocation.db, queries.lateIdsOf(organizationId, conversationIds)));
  const known = messages.filter(({ id }) => ids.delete(id));
  await insertWords(invocation, organizationId, known);
  for (const id of ids) await indexText(invocation, { organization_id: organizationId, id });
}

/**
 * Inserts words that are overdue, because the write that stored the messages failed before it did. A message that fails
 * does not stop the others.
 */
export async function insertOverdueWords(invocation: Invocation): Promise<void> {
  const nowMs = invocation.runtime.nowMs();
  const { messages } = await batch(
    invocation.db,
    queries.claimedOverdue({ nowMs, dueAtMs: nowMs + LATE_MS, limit: SWEEP_MESSAGES }),
  );
  for (const message of messages) {
    try {
      await indexText(invocation, message);
    } catch (error) {
      invocation.log.error("late words failed", error);
    }
  }
}

/** Computes the words of a stored message and inserts them. */
async function indexText(invocation: Invocation, message: queries.LateMessage): Promise<void> {
  const text = await run(invocation.db, queries.textOf(message));
  if (text === null) return;
  const prefix = toTermPrefix(text.organization_number, text.corpus);
  const content = await decodeText(text.content, text.content_encoding);
  const indexed = await invocation.pace.run(toIndexedTerms(invocation.caches.stem, prefix, content));
  await insertWords(invocation, message.organization_id, [{ id: message.id, ...indexed }]);
}

async function insertWords(
  { db, limits }: Pick<Invocation, "db" | "limits">,
  organizationId: string,
  messages: MessageTerms[],
): Promise<void> {
  const { wordsAtOnceCharacters: charactersMax } = limits;
  for (const group of groupsOf(toPieces(messages), charactersMax))
    for (const inserted of queries.latePieces(organizationId, group)) await run(db, inserted);
  for (const group of groupsOf(messages, charactersMax))
    for (const inserted of queries.lateTerms(organizationId, group)) await batch(db, inserted);
}

/** Consecutive items with at most `charactersMax` of terms together, or a single larger one. */
function groupsOf<Item extends { terms: string }>(items: Item[], charactersMax: number): Item[][] {
  const groups: Item[][] = [];
  let room = 0;
  for (const item of items) {
    room -= item.terms.length;
    const last = groups.at(-1);
    if (last !== undefined && room >= 0) {
      last.push(item);
      continue;
    }
    groups.push([item]);
    room = charactersMax - item.terms.length;
  }
  return groups;
}
