import type { NewMessage } from "@engram/spec";
import { ApiError } from "../errors.ts";
import type { Invocation } from "../invocation.ts";
import { toTimestamp } from "../platform/batch.ts";
import { sha256Hex } from "../platform/digest.ts";
import { createIds } from "../platform/ids.ts";
import { canonicalJson } from "../text/canonical-json.ts";
import { toNameTerms } from "../text/index-terms.ts";
import type { Pace } from "../text/pace.ts";
import { prepareText } from "../text/prepared-text.ts";
import { type MessageRecord, toGiven } from "./fields.ts";

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
  const now = toTimestamp(invocation.runtime.nowMs());
  return Promise.all(
    distinct.map((message, i) =>
      toRecord(invocation, termPrefix, {
        ...message,
        id: ids[i] ?? "",
        external_digest: distinctDigests[i],
        created_at: message.created_at ?? now,
      }),
    ),
  );
}

export const toRecord = async (
  { pace, caches }: Pick<Invocation, "pace" | "caches">,
  termPrefix: string,
  message: Parameters<typeof toGiven>[0] & { id: string; content: string },
): Promise<MessageRecord> => ({
  ...toGiven(message),
  ...(await prepareText({ pace, caches }, termPrefix, message.content)),
  id: message.id,
  name_terms: toNameTerms(caches.stem, termPrefix, message.name ?? null),
});

/** A hash of the message, to compare it with another message that has the same external id. */
async function externalDigest(pace: Pace, message: NewMessage): Promise<string | null> {
  return message.external_id === undefined ? null : sha256Hex(await pace.run(canonicalJson(message)));
}
