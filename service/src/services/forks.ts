import { FORK_MESSAGES_MAX, WRITE_BYTES_MAX } from "@engram/spec";
import type { RequestContext } from "../context.ts";
import { ApiError, notFound } from "../errors.ts";
import { createId, createIds } from "../ids.ts";
import { indexConversation } from "../indexing/run.ts";
import { Refused, refuseAbsentConversation, refuseDeadKey } from "../queries/batch.ts";
import {
  conversationById,
  readConversation,
  selectConversation,
  type VersionedConversation,
} from "../queries/conversations.ts";
import * as queries from "../queries/forks.ts";
import type { IdempotentRequest } from "../queries/idempotency-keys.ts";
import { decodeText } from "../text/compression.ts";
import { toIndexedWords, toMark } from "../text/index-words.ts";
import { type Once, replayEarlier, runOnce } from "./idempotency.ts";
import { indexBehind } from "./search-index.ts";
import { countUsage } from "./usage.ts";

/** Attempts per fork; each restart follows a change of the source while it was read. */
const ATTEMPTS = 5;
const RETRY_AFTER_SECONDS = 2;

export interface ForkInput {
  id: string;
  /** Null copies all messages. */
  toSequence: number | null;
  externalId: string | null;
  title: string | null;
}

/**
 * Creates a conversation that begins with a copy of another's messages.
 *
 * @throws {ApiError} `not_found`, `sequence_conflict`, `too_many_messages`, `payload_too_large`,
 *   `external_id_conflict`, and `unavailable` when the source changes faster than it can be copied.
 */
export async function forkConversation(
  ctx: RequestContext,
  input: ForkInput,
  idempotency: IdempotentRequest | null,
): Promise<Once<VersionedConversation>> {
  const replay = async (kept: unknown) => {
    const found = await selectConversation(ctx.db, ctx.principal, (kept as { id: string }).id);
    if (found === null) throw notFound("conversation");
    return found;
  };
  for (let attempt = 1; ; attempt++) {
    try {
      return await fork(ctx, input, idempotency, replay);
    } catch (error) {
      // An earlier request may have succeeded, and its source may have changed or been deleted since.
      const earlier = await replayEarlier(ctx.db, idempotency, replay);
      if (earlier !== null) return earlier;
      if (!(error instanceof Refused) || error.code !== "source_changed") throw error;
      if (attempt < ATTEMPTS) continue;
      throw new ApiError("unavailable", "Messages are changed again and again while they are copied.", {
        cause: error,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
  }
}

async function fork(
  ctx: RequestContext,
  input: ForkInput,
  idempotency: IdempotentRequest | null,
  replay: (kept: unknown) => Promise<VersionedConversation>,
): Promise<Once<VersionedConversation>> {
  const { db, principal, runtime } = ctx;
  const { organizationId } = principal;
  const toSequence = await readEnd(ctx, input);
  const range = { conversationId: input.id, toSequence };
  const rows = await queries.selectForkSource(db, principal, range);
  const source = rows.at(-1) ?? { messages: 0, bytes: 0, contentBytes: 0, changes: "0 0" };
  refuseLargeFork(rows, source);
  const messages = await toForkedMessages(ctx, rows);
  const nowMs = runtime.nowMs();
  const id = createId(runtime, "conv");
  const copy: queries.Fork = { ...input, organizationId, sourceId: input.id, id, toSequence, nowMs };
  const statements = [
    refuseDeadKey(db, { ...principal, nowMs }),
    refuseAbsentConversation(db, principal, input.id),
    queries.refuseChangedSource(db, copy, source),
    ...queries.insertFork(db, copy, messages),
    conversationById(db, principal, id),
  ];
  const once = await runOnce(
    db,
    idempotency,
    { statements, result: "json_object('id', ?5)", resultBinds: [id] },
    (results) => {
      const forked = readConversation(results.at(-1));
      if (forked === null) throw new Error("the batch stored no fork");
      return forked;
    },
    replay,
  );
  const forked = { organizationId, conversationId: once.answer.conversation.id };
  if (!once.replayed) {
    countUsage(ctx, { messages: source.messages, message_bytes: source.contentBytes });
    indexBehind(ctx, (later) => indexConversation(later, forked));
  }
  return once;
}

/** The last sequence number to copy. @throws {ApiError} `not_found`, `sequence_conflict`. */
async function readEnd({ db, principal }: RequestContext, { id, toSequence }: ForkInput): Promise<number> {
  const found = await selectConversation(db, principal, id);
  if (found === null) throw notFound("conversation");
  const { last_sequence } = found.conversation;
  if (toSequence !== null && toSequence > last_sequence) {
    throw new ApiError("sequence_conflict", `The conversation's last sequence number is ${last_sequence}.`);
  }
  return toSequence ?? last_sequence;
}

/** @throws {ApiError} `too_many_messages`, `payload_too_large`. */
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
  { principal, runtime, pace }: RequestContext,
  rows: queries.ForkSourceRow[],
): Promise<queries.ForkedMessage[]> {
  const mark = toMark(principal.organizationNumber, "conversations");
  const ids = createIds(runtime, "msg", rows.length);
  return Promise.all(
    rows.map(async ({ sequence, content, content_encoding }, i) => {
      const words = await pace.run(toIndexedWords(mark, await decodeText(content, content_encoding)));
      return { sequence, id: ids[i] ?? "", ...words };
    }),
  );
}
