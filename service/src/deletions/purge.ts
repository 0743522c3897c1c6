import { deletedArchivesOf } from "../archives/queries.ts";
import { deleteOldestEvents } from "../events/queries.ts";
import { deleteHoldItemsOf } from "../holds/queries.ts";
import type { Invocation } from "../invocation.ts";
import { isOrganizationDeletion } from "../operations/queries.ts";
import { deleteOrganizationRows, selectDeletedOrganizations } from "../organizations/queries.ts";
import { PreconditionFailed } from "../platform/preconditions.ts";
import { drawRound, type Round } from "../platform/round-robin.ts";
import { batch } from "../platform/sql.ts";
import { deleteRecallsOf } from "../recalls/queries.ts";
import { hashNames, messageIdNames } from "../tombstones/hashes.ts";
import { type PurgedHash, selectTombstoneKeys } from "../tombstones/queries.ts";
import * as queries from "./purge-queries.ts";
import { softDeleteConversationsOf } from "./queries.ts";
import { deleteVectors } from "./vector-deletions.ts";

/** The purge of one invocation of the Worker that a sweep starts. Resolves to true if more is left. */
export async function purgeApart(invocation: Invocation): Promise<boolean> {
  const isLeft = await purge(invocation, invocation.limits.purgeInvocationSteps);
  await mergeKeywordIndex(invocation);
  return (await deleteVectors(invocation, invocation.limits.deleteInvocationRounds)) || isLeft;
}

/** Removes what is soft-deleted and deleted organizations, in short transactions. Resolves to true if more is left. */
export async function purge(invocation: Invocation, steps: number): Promise<boolean> {
  const round = drawRound(invocation);
  for (let step = 0; step < steps; step++) {
    // `chance` determines which organization comes first. It changes in each step, because a large conversation
    // takes a whole step.
    if (!(await purgeStep(invocation, { ...round, chance: (round.chance + step / steps) % 1 }))) return false;
  }
  return true;
}

/** Resolves to false if nothing is left. */
async function purgeStep(invocation: Invocation, round: Round): Promise<boolean> {
  const { purgeStepConversations: limit, purgeStepMessages } = invocation.limits;
  const select = () => queries.selectSoftDeletedConversations(invocation.db, { limit, round });
  let { noted, softDeleted } = await select();
  const [deleted] = await selectDeletedOrganizations(invocation.db, { limit: 1, round });
  // No more than the next steps purge, because a cancellation of the deletion restores the others.
  if (deleted !== undefined && softDeleted.every(({ organizationId }) => organizationId !== deleted.id)) {
    if (await softDeleteSome(invocation, deleted)) ({ softDeleted } = await select());
  }
  if (softDeleted.length > 0) {
    const step = withinStep(softDeleted, purgeStepMessages);
    const forgotten = await forgottenMessages(invocation, step);
    try {
      await queries.purgeConversations(
        invocation.db,
        step,
        { limit: purgeStepMessages, nowMs: invocation.runtime.nowMs() },
        forgotten,
      );
    } catch (error) {
      // A hold was created in the meantime. The next step does not select what it holds.
      if (!(error instanceof PreconditionFailed) || error.code !== "held") throw error;
    }
  }
  return noted > 0 || softDeleted.length > 0 || deleted !== undefined;
}

/** The next messages of conversations with a tombstone, and the hashes of their ids. */
async function forgottenMessages(
  { db, limits }: Invocation,
  softDeleted: queries.SoftDeletedConversation[],
): Promise<queries.ForgottenMessages | undefined> {
  const forgotten = softDeleted.filter(({ tombstoneId }) => tombstoneId !== null);
  if (forgotten.length === 0) return undefined;
  const messages = await queries.selectForgottenMessages(db, forgotten, limits.purgeStepMessages);
  const keys = await selectTombstoneKeys(
    db,
    messages.map(({ organizationId }) => organizationId),
  );
  const hashes: PurgedHash[] = [];
  for (const [organizationId, key] of keys) {
    const own = messages.filter((message) => message.organizationId === organizationId);
    const hashOf = await hashNames(
      key,
      own.flatMap(({ id }) => messageIdNames(id)),
    );
    for (const { tombstoneId, id } of own)
      for (const name of messageIdNames(id))
        hashes.push({ organizationId, tombstoneId, hash: hashOf.get(name) ?? "" });
  }
  return { messages, hashes };
}

/**
 * Soft-deletes some conversations and memories of a deleted organization. If it has none, deletes some of its events,
 * receipts of recall and items of holds, and at last its own rows. Resolves to whether it soft-deleted any.
 */
async function softDeleteSome(
  invocation: Invocation,
  { id, operationId }: { id: string; operationId: string },
): Promise<boolean> {
  const { eventPurgeRows, recallRoundRows, softDeleteStepConversations: limit } = invocation.limits;
  const nowMs = invocation.runtime.nowMs();
  const deletion = { organizationId: id, operationId, nowMs, limit };
  if ((await softDeleteConversationsOf(invocation.db, deletion)) > 0) return true;
  if (await queries.hasConversations(invocation.db, id)) return false;
  const isDeleting = isOrganizationDeletion(id, operationId);
  const events = await deleteOldestEvents(invocation.db, {
    organizationId: id,
    isDeleting,
    limit: eventPurgeRows,
  });
  const recalls = await deleteRecallsOf(invocation.db, {
    organizationId: id,
    isDeleting,
    limit: recallRoundRows,
  });
  const holdItems = await deleteHoldItemsOf(invocation.db, {
    organizationId: id,
    condition: isDeleting,
    limit: eventPurgeRows,
  });
  // Their objects first: the sweep removes them, and then their rows.
  const { hasArchives } = await batch(invocation.db, deletedArchivesOf(id, isDeleting, nowMs));
  const isMore =
    events === eventPurgeRows || recalls === recallRoundRows || holdItems === eventPurgeRows || hasArchives;
  if (!isMore) await deleteOrganizationRows(invocation.db, { id, operationId, nowMs });
  return false;
}

/**
 * The first conversations with at most `messagesMax` messages together. If the first alone has more, a step
 * removes only a part of it.
 */
function withinStep(
  softDeleted: queries.SoftDeletedConversation[],
  messagesMax: number,
): queries.SoftDeletedConversation[] {
  let messages = 0;
  const end = softDeleted.findIndex((conversation) => {
    messages += conversation.messages;
    return messages > messagesMax;
  });
  return end < 0 ? softDeleted : softDeleted.slice(0, Math.max(1, end));
}

export async function mergeKeywordIndex({ db, limits }: Invocation): Promise<void> {
  await queries.mergeKeywordIndex(db, limits.mergeSweepPages);
}
