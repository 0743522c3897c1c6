import type { NewMessage } from "@engram/spec";
import { ApiError } from "../errors.ts";
import type { Invocation } from "../invocation.ts";
import { sha256Hex } from "../platform/digest.ts";
import { createIds } from "../platform/ids.ts";
import { canonicalJson } from "../text/canonical-json.ts";
import { toNameTerms } from "../text/index-terms.ts";
import type { Pace } from "../text/pace.ts";
import { prepareText } from "../text/prepared-text.ts";
import type { MessageRecord } from "./queries.ts";

/**
 * The rows to store. If the request has the same message several times with one external id, it becomes one
 * row.
 *
 * @throws {ApiError} `external_id_conflict` when the request gives two different messages one external id.
 */
export async function toRecords(
  invocation: Pick<Invocation, "runtime" | "pace" | "caches">,
  termPrefix: string,
  messages: NewMessage[],
): Promise<MessageRecord[]> {
  const digests = await Promise.all(messages.map((message) => externalDigest(invocation.pace, message)));
  const places = new Map<string, number>();
  const firsts = messages.map(({ external_id }, i) => {
    if (external_id === undefined) return true;
    const first = places.get(external_id) ?? i;
    places.set(external_id, first);
    if (digests[first] !== digests[i]) {
      throw new ApiError(
        "external_id_conflict",
        "Two different messages of the request have the same external id. Give each its own.",
      );
    }
    return first === i;
  });
  const distinct = messages.filter((_, i) => firsts[i]);
  const distinctDigests = digests.filter((_, i) => firsts[i]);
  const ids = createIds(invocation.runtime, "msg", distinct.length);
  const nowMs = invocation.runtime.nowMs();
  return Promise.all(
    distinct.map((message, i) =>
      toRecord(invocation, termPrefix, message, {
        id: ids[i] ?? "",
        external_digest: distinctDigests[i] ?? null,
        created_at_ms: message.created_at === undefined ? nowMs : Date.parse(message.created_at),
      }),
    ),
  );
}

/** A null field means the same as an absent one. */
type MessageContent = {
  [Field in keyof NewMessage]: NewMessage[Field] | (undefined extends NewMessage[Field] ? null : never);
};

export async function toRecord(
  invocation: Pick<Invocation, "pace" | "caches">,
  termPrefix: string,
  message: MessageContent,
  identity: Pick<MessageRecord, "id" | "external_digest" | "created_at_ms">,
): Promise<MessageRecord> {
  return {
    ...identity,
    ...(await prepareText(invocation, termPrefix, message.content)),
    role: message.role,
    name: message.name ?? null,
    tool_call_id: message.tool_call_id ?? null,
    tool_name: message.tool_name ?? null,
    metadata: toMetadataText(message.metadata ?? {}),
    parts: message.parts ?? null,
    external_id: message.external_id ?? null,
    name_terms: toNameTerms(invocation.caches.stem, termPrefix, message.name ?? null),
  };
}

/** Null for an empty object. */
const toMetadataText = (metadata: Record<string, unknown>): string | null =>
  Object.keys(metadata).length === 0 ? null : JSON.stringify(metadata);

/** A hash of the message, to compare it with another message that has the same external id. */
async function externalDigest(pace: Pace, message: NewMessage): Promise<string | null> {
  return message.external_id === undefined ? null : sha256Hex(await pace.run(canonicalJson(message)));
}
