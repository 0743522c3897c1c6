import type { MemoryLine, NewMemory } from "@engram/spec";
import type { KeyCaller } from "../context.ts";
import { agentFor, userFor } from "../keys/bindings.ts";
import { sha256Hex } from "../platform/digest.ts";
import { createIds, toMessageId } from "../platform/ids.ts";
import { encodeText } from "../text/compression.ts";
import { featuresOf } from "../text/features.ts";
import { toIndexedTerms, toTermPrefix } from "../text/index-terms.ts";
import type { MemoryRecord } from "./captures-queries.ts";
import { toAuthored } from "./queries.ts";

/** @throws {ApiError} `forbidden` if a memory names another agent or user than that of the key. */
export async function toNewRecords(ctx: KeyCaller, memories: NewMemory[]): Promise<MemoryRecord[]> {
  const { principal, runtime } = ctx;
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
        ...(await encodeContent(ctx, memory.content)),
        created_at_ms: memory.created_at === undefined ? nowMs : Date.parse(memory.created_at),
        updated_at_ms: nowMs,
      };
    }),
  );
}

export async function toPlacedRecord(ctx: KeyCaller, line: MemoryLine): Promise<MemoryRecord> {
  const { type: _, given, created_at, updated_at, ...memory } = line;
  return {
    ...memory,
    message_id: toMessageId(memory.id),
    authored: toAuthored(given),
    ...(await encodeContent(ctx, memory.content)),
    created_at_ms: Date.parse(created_at),
    updated_at_ms: Date.parse(updated_at),
  };
}

export async function encodeContent({ principal, pace, caches }: KeyCaller, content: string) {
  const indexed = await pace.run(
    toIndexedTerms(caches.stem, toTermPrefix(principal.organizationNumber, "memories"), content),
  );
  return {
    ...(await encodeText(content, pace)),
    ...indexed,
    features: featuresOf(content, indexed.term_count),
  };
}
