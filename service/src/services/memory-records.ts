import type { MemoryLine, NewMemory } from "@engram/spec";
import type { RequestContext } from "../context.ts";
import { sha256Hex } from "../digest.ts";
import { createIds, toMessageId } from "../ids.ts";
import { type MemoryRecord, toAuthored } from "../queries/memories.ts";
import { encodeText } from "../text/compression.ts";
import { toIndexedWords, toMark } from "../text/index-words.ts";
import { traitsOf } from "../text/traits.ts";
import { agentFor } from "./agents.ts";

/** Memories of a request as rows. @throws {ApiError} `forbidden`. */
export async function toNewRecords(ctx: RequestContext, memories: NewMemory[]): Promise<MemoryRecord[]> {
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

export async function toPlacedRecord(ctx: RequestContext, line: MemoryLine): Promise<MemoryRecord> {
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

/** Content as stored, with its index terms and ranking features. */
export async function encodeContent({ principal, pace }: RequestContext, content: string) {
  const words = await pace.run(toIndexedWords(toMark(principal.organizationNumber, "memories"), content));
  return { ...(await encodeText(content, pace)), ...words, traits: traitsOf(content, words.token_count) };
}
