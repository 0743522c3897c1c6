import type { NewMessage } from "@engram/spec";
import type { ServiceContext } from "../context.ts";
import { canonicalJson, sha256Hex } from "../digest.ts";
import { ApiError } from "../errors.ts";
import { createIds } from "../ids.ts";
import type { MessageRecord } from "../queries/messages.ts";
import { encodeText } from "../text/compression.ts";
import { toIndexedWords, toNameWords } from "../text/index-words.ts";
import type { Pace } from "../text/pace.ts";
import { traitsOf } from "../text/traits.ts";

/**
 * New messages as rows. A message that the request repeats under one external id becomes one row.
 *
 * @throws {ApiError} `external_id_conflict` when the request gives two different messages one external id.
 */
export async function toRecords(
  { runtime, pace }: Pick<ServiceContext, "runtime" | "pace">,
  mark: string,
  messages: NewMessage[],
): Promise<MessageRecord[]> {
  const digests = await Promise.all(messages.map(externalDigest));
  const firsts = messages.map((message, i) => {
    if (message.external_id === undefined) return true;
    const first = messages.findIndex((other) => other.external_id === message.external_id);
    if (digests[first] !== digests[i]) {
      throw new ApiError("external_id_conflict", "Two messages of this request share an external id.");
    }
    return first === i;
  });
  const distinct = messages.filter((_, i) => firsts[i]);
  const distinctDigests = digests.filter((_, i) => firsts[i]);
  const ids = createIds(runtime, "msg", distinct.length);
  const nowMs = runtime.nowMs();
  return Promise.all(
    distinct.map((message, i) =>
      toRecord(pace, mark, message, {
        id: ids[i] ?? "",
        external_digest: distinctDigests[i] ?? null,
        created_at_ms: message.created_at === undefined ? nowMs : Date.parse(message.created_at),
      }),
    ),
  );
}

/** Content of a message. A null field means the same as an absent one. */
type Said = {
  [Field in keyof NewMessage]: NewMessage[Field] | (undefined extends NewMessage[Field] ? null : never);
};

/** A message as a row, with its index terms and ranking features. */
export async function toRecord(
  pace: Pace,
  mark: string,
  message: Said,
  given: Pick<MessageRecord, "id" | "external_digest" | "created_at_ms">,
): Promise<MessageRecord> {
  const indexed = await pace.run(toIndexedWords(mark, message.content));
  const { content, encoding, bytes } = await encodeText(message.content, pace);
  return {
    ...given,
    role: message.role,
    content,
    encoding,
    bytes,
    name: message.name ?? null,
    tool_call_id: message.tool_call_id ?? null,
    tool_name: message.tool_name ?? null,
    metadata: toMetadataText(message.metadata ?? {}),
    parts: message.parts ?? null,
    external_id: message.external_id ?? null,
    ...indexed,
    name_words: toNameWords(mark, message.name ?? null),
    traits: traitsOf(message.content, indexed.token_count),
  };
}

/** Metadata as stored; null for an empty object. */
const toMetadataText = (metadata: Record<string, unknown>): string | null =>
  Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata);

/**
 * Digest that decides whether a message with a known external id is the same; null without an external id.
 */
async function externalDigest(message: NewMessage): Promise<string | null> {
  return message.external_id === undefined ? null : sha256Hex(canonicalJson(message));
}
