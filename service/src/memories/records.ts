import type { NewMemory } from "@engram/spec";
import type { KeyCaller } from "../invocation.ts";
import { agentFor, userFor } from "../platform/bindings.ts";
import { sha256Hex } from "../platform/digest.ts";
import { createIds, toMessageId } from "../platform/ids.ts";
import { toTermPrefix } from "../text/index-terms.ts";
import { type PreparedText, prepareText } from "../text/prepared-text.ts";
import type { MemoryRecord } from "./captures-queries.ts";
import { toAuthored } from "./queries.ts";

/** @throws {ApiError} `forbidden` if a memory names another agent or user than that of the key. */
export async function toNewRecords(caller: KeyCaller, memories: NewMemory[]): Promise<MemoryRecord[]> {
  const { principal, runtime } = caller;
  const ids = createIds(runtime, "mem", memories.length);
  const nowMs = runtime.nowMs();
  return Promise.all(
    memories.map(async (memory, i) => {
      const id = ids[i] ?? "";
      return {
        id,
        message_id: toMessageId(id),
        kind: memory.kind,
        source: memory.source ?? null,
        agent_id: agentFor(principal, memory.agent_id ?? null),
        user_id: userFor(principal, memory.user_id ?? null),
        external_id: memory.external_id ?? null,
        parts: memory.parts ?? null,
        tags: memory.tags ?? [],
        summary: memory.summary ?? null,
        metadata: memory.metadata ?? {},
        authored: toAuthored({ tags: memory.tags !== undefined, summary: memory.summary !== undefined }),
        enriched_by: null,
        content_hash: await sha256Hex(memory.content),
        ...(await prepareContent(caller, memory.content)),
        created_at_ms: memory.created_at === undefined ? nowMs : Date.parse(memory.created_at),
        updated_at_ms: nowMs,
      };
    }),
  );
}

export const prepareContent = (caller: KeyCaller, content: string): Promise<PreparedText> =>
  prepareText(caller, toTermPrefix(caller.principal.organizationNumber, "memories"), content);
