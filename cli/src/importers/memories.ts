import { createHash } from "node:crypto";
import type { MemoryLine } from "@engram/sdk";
import { TAGS_MAX } from "@engram/sdk/limits";
import { derivedId } from "./ids.ts";
import { exactMetadata, exactParts, shortText, timestamp } from "./threads.ts";

export interface SourceMemory {
  /** The product that the memory is from, such as "mem0". Also its first tag. */
  source: string;
  /** Unique among the memories of the product. */
  id: string;
  content: string;
  /** NaN if unknown. The same in every export, because the id is derived from it. */
  createdAtMs: number;
  userId?: unknown;
  agentId?: unknown;
  tags: unknown[];
  metadata: Record<string, unknown>;
}

/** The external id lets two memories of a user have the same text. */
export function toMemoryLine(memory: SourceMemory): MemoryLine {
  const { source, id, content, createdAtMs, metadata } = memory;
  const wellFormed = content.toWellFormed();
  const tags = new Set([source, ...memory.tags.flatMap((tag) => shortText(tag) ?? [])]);
  return {
    type: "memory",
    // A stored time would be the import's, so an unknown one is not part of the id.
    id: derivedId("mem", createdAtMs || 0, source, id),
    kind: "note",
    content: wellFormed,
    parts: exactParts(content, null).parts,
    sources: [],
    source,
    agent_id: shortText(memory.agentId),
    user_id: shortText(memory.userId),
    external_id: shortText(`${source}:${id}`),
    tags: [...tags].slice(0, TAGS_MAX),
    summary: null,
    metadata: exactMetadata(metadata),
    enriched_by: null,
    content_hash: createHash("sha256").update(wellFormed).digest("hex"),
    created_at: timestamp(createdAtMs),
    updated_at: timestamp(createdAtMs),
    given: { tags: true, summary: false },
  };
}
