import { FORK_MESSAGES_MAX, WRITE_BYTES_MAX } from "@engram/spec";
import { ApiError, notFound } from "../errors.ts";
import { indexLater } from "../indexing/service.ts";
import type { KeyCaller } from "../invocation.ts";
import { insertLateWords } from "../keyword-index/late-words.ts";
import { assertConversationWritable } from "../platform/batch.ts";
import { type Idempotent, replayEarlier, runIdempotent } from "../platform/idempotency.ts";
import type { IdempotentRequest } from "../platform/idempotency-queries.ts";
import { createId, createIds } from "../platform/ids.ts";
import { PreconditionFailed } from "../platform/preconditions.ts";
import { run, sql } from "../platform/sql.ts";
import { decodeText } from "../text/compression.ts";
import { toIndexedTerms, toTermPrefix } from "../text/index-terms.ts";
import { conversationNames, userNames } from "../tombstones/hashes.ts";
import { refusingForgotten } from "../tombstones/service.ts";
import { countUsage } from "../usage/service.ts";
import * as queries from "./forks-queries.ts";
import { conversationById, selectConversation, type VersionedConversation } from "./queries.ts";

/** Maximum number of attempts to copy. Another one is made if the conversation changed while it was read. */
const ATTEMPTS = 5;
const RETRY_AFTER_SECONDS = 2;

export interface ForkInput {
  id: string;
  /** Sequence number of the last message to copy; null for all messages. */
  toSequence: number | null;
  externalId: string | null;
  title: string | null;
}

/**
 * @throws {ApiError} `not_found`, `sequence_conflict`, `too_many_messages`, `payload_too_large`,
 * `external_id_conflict`, `forgotten`, and `unavailable` when the source changes faster than it can be copied.
 */
export async function forkConversation(
  caller: KeyCaller,
  input: ForkInput,
  idempotency: IdempotentRequest | null,
): Promise<Idempotent<VersionedConversation>> {
  const replay = async (stored: { id: string }) => {
    const found = await selectConversation(caller.db, caller.principal, stored.id);
    if (found === null) throw notFound("conversation");
    return found;
  };
  for (let attempt = 1; ; attempt++) {
    try {
      return await fork(caller, input, idempotency, replay);
    } catch (error) {
      // After a failure of D1, the fork may be stored. Looking it up with a key that was revoked since would answer 401,
      // as if nothing was stored.
      if (!(error instanceof ApiError || error instanceof PreconditionFailed)) throw error;
      // If this request repeats one that succeeded, its result is returned even if the source was changed or
      // deleted since.
      const earlier = await replayEarlier(caller.db, idempotency, replay);
      if (earlier !== null) return earlier;
      if (!(error instanceof PreconditionFailed) || error.code !== "source_changed") throw error;
      if (attempt < ATTEMPTS) continue;
      throw new ApiError(
        "unavailable",
        "The messages kept changing while they were copied. Send the request again.",
        {
          cause: error,
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        },
      );
    }
  }
}

async function fork(
  caller: KeyCaller,
  input: ForkInput,
  idempotency: IdempotentRequest | null,
  replay: (stored: { id: string }) => Promise<VersionedConversation>,
): Promise<Idempotent<VersionedConversation>> {
  const { db, principal, runtime } = caller;
  const { organizationId } = principal;
  const { toSequence, owner } = await readEnd(caller, input);
  const range = { organizationId, sourceId: input.id, toSequence };
  const rows = await run(db, queries.forkSource(range));
  const source = rows.at(-1) ?? { messages: 0, bytes: 0, contentBytes: 0, changes: "0 0" };
  refuseLargeFork(rows, source);
  const messages = await toForkedMessages(caller, rows);
  const nowMs = runtime.nowMs();
  const id = createId(runtime, "conv");
  const copy: queries.Fork = { ...input, ...range, id, nowMs };
  const identity = { ...owner, external_id: input.externalId };
  const names = [...conversationNames(identity), ...userNames(identity)];
  const written = await refusingForgotten(caller, [{ path: "", names }], (guard) =>
    runIdempotent(db, idempotency, {
      statements: {
        guard: guard(nowMs),
        conversation: assertConversationWritable(principal, input.id),
        source: queries.assertSourceUnchanged(range, source),
        externalId: queries.assertExternalIdFree(copy),
        inserted: queries.insertedFork(copy, messages, caller.limits),
        forked: conversationById(principal, id),
      },
      answer: sql`json_object('id', ${id})`,
      read: (stored: { id: string }, results) => {
        if (results === null) return replay(stored);
        if (results.forked === null) throw new Error("the batch stored no fork");
        return results.forked;
      },
    }),
  );
  const forked = { organizationId, conversationId: written.answer.conversation.id };
  await insertLateWords(caller.system, organizationId, {
    conversationIds: [forked.conversationId],
    messages,
  });
  if (!written.replayed) {
    const { messages: count, contentBytes } = source;
    countUsage(caller, { messages: count, message_bytes: contentBytes });
    indexLater(caller, [forked], contentBytes);
  }
  return written;
}

/** The last sequence number to copy, and whose conversation it is. Both agent and user never change. */
async function readEnd({ db, principal }: KeyCaller, { id, toSequence }: ForkInput) {
  const found = await selectConversation(db, principal, id);
  if (found === null) throw notFound("conversation");
  const { last_sequence, agent_id, user_id } = found.conversation;
  if (toSequence !== null && toSequence > last_sequence) {
    throw new ApiError(
      "sequence_conflict",
      `The conversation's last sequence number is ${last_sequence}. Send a \`sequence\` up to that number.`,
    );
  }
  return { toSequence: toSequence ?? last_sequence, owner: { agent_id, user_id } };
}

function refuseLargeFork(
  rows: queries.ForkSourceRow[],
  source: Pick<queries.ForkSourceRow, "messages" | "bytes">,
): void {
  if (source.messages <= FORK_MESSAGES_MAX && source.bytes <= WRITE_BYTES_MAX) return;
  const advice = `send a \`sequence\` of at most ${rows.at(-2)?.sequence ?? 0}.`;
  if (source.messages > FORK_MESSAGES_MAX) {
    throw new ApiError("too_many_messages", `A fork copies at most 10,000 messages; ${advice}`);
  }
  throw new ApiError("payload_too_large", `A fork copies at most 2,097,152 bytes of messages; ${advice}`);
}

async function toForkedMessages(
  { principal, runtime, pace, caches }: KeyCaller,
  rows: queries.ForkSourceRow[],
): Promise<queries.ForkedMessage[]> {
  const mark = toTermPrefix(principal.organizationNumber, "conversations");
  const ids = createIds(runtime, "msg", rows.length);
  return Promise.all(
    rows.map(async ({ sequence, content, content_encoding }, i) => {
      const words = await pace.run(
        toIndexedTerms(caches.stem, mark, await decodeText(content, content_encoding)),
      );
      return { sequence, id: ids[i] ?? "", ...words };
    }),
  );
}
