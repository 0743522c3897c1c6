import type { NewMemory, Source } from "@engram/spec";
import type { KeyCaller } from "../invocation.ts";
import { toTimestamp } from "../platform/batch.ts";
import { agentFor, sharedFor, userFor } from "../platform/bindings.ts";
import { sha256Hex } from "../platform/digest.ts";
import { createIds, toMessageId } from "../platform/ids.ts";
import { sourceBytes } from "../sources/queries.ts";
import { toTermPrefix } from "../text/index-terms.ts";
import { type PreparedText, prepareText } from "../text/prepared-text.ts";
import type { MemoryRecord } from "./captures-queries.ts";
import { toMemoryFields } from "./fields.ts";
import { toAuthored } from "./queries.ts";

const NO_SOURCES = { sources: [], source_bytes: 0 };

/** The record of a memory that cites sources. */
export const withSources = (record: MemoryRecord, sources: readonly Source[] = []): MemoryRecord =>
  sources.length === 0 ? record : { ...record, sources, source_bytes: sourceBytes(sources) };

/**
 * Records without sources, which {@link withSources} adds.
 *
 * @throws {ApiError} `forbidden` if a memory names another agent or user than that of the key, or a key that is bound to a
 * user shares it.
 */
export async function toNewRecords(
  caller: KeyCaller,
  memories: NewMemory[],
  nowMs: number,
): Promise<MemoryRecord[]> {
  const { principal, runtime } = caller;
  const ids = createIds(runtime, "mem", memories.length);
  const now = toTimestamp(nowMs);
  return Promise.all(
    memories.map(async (memory, i) => {
      const id = ids[i] ?? "";
      return {
        ...toMemoryFields({
          ...memory,
          id,
          agent_id: agentFor(principal, memory.agent_id ?? null),
          user_id: userFor(principal, memory.user_id ?? null),
          shared: sharedFor(principal, memory.shared),
          content_hash: await sha256Hex(memory.content),
          created_at: memory.created_at ?? now,
          updated_at: now,
          valid_from: memory.valid_from ?? (memory.supersedes === undefined ? null : now),
        }),
        ...(await prepareContent(caller, memory.content)),
        message_id: toMessageId(id),
        parts: memory.parts ?? null,
        authored: toAuthored({ tags: memory.tags !== undefined, summary: memory.summary !== undefined }),
        version: 1,
        changed_by: principal.keyId,
        changed_at_ms: nowMs,
        ...NO_SOURCES,
      };
    }),
  );
}

export const prepareContent = (caller: KeyCaller, content: string): Promise<PreparedText> =>
  prepareText(caller, toTermPrefix(caller.principal.organizationNumber, "memories"), content);
