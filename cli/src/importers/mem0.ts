import { createHash } from "node:crypto";
import type { MemoryLine } from "@engram/sdk";
import { derivedId } from "./ids.ts";
import { type Entry, leftOut, type Source } from "./importer.ts";
import { readItems } from "./json-items.ts";
import { contentFlaw, shortText, timestamp } from "./threads.ts";
import { type Fields, fieldsOf, listOf, present, textOf, timeOf } from "./values.ts";

const SOURCE = "mem0";
/** One tag fewer than a memory may have, for the tag of the source. */
const TAGS_MAX = 63;

export async function* importMem0(source: Source): AsyncGenerator<Entry, void, undefined> {
  let number = 0;
  for await (const item of readItems(source, "results")) {
    number += 1;
    const memory = fieldsOf(item);
    const id = textOf(memory.id);
    const place = `${source.name}, memory ${id ?? number}`;
    const text = textOf(memory.memory) ?? textOf(memory.text);
    if (id === undefined || text === undefined) {
      yield leftOut(id === undefined ? "memory without an id" : "empty memory", place);
      continue;
    }
    const flaw = contentFlaw(text, "memory");
    if (flaw === undefined) yield { type: "memory", line: toMemory(memory, id, text), place };
    else yield leftOut(flaw, place);
  }
}

/**
 * The external id lets two memories of a user have the same text, as in mem0. An update of the memory in mem0 gives
 * another line, which is refused: a stored memory is not replaced by an import.
 */
function toMemory(memory: Fields, id: string, content: string): MemoryLine {
  const createdAtMs = timeOf(memory.created_at);
  const { run_id, app_id } = memory;
  return {
    type: "memory",
    id: derivedId("mem", createdAtMs || 0, SOURCE, id),
    kind: "note",
    content,
    parts: null,
    source: SOURCE,
    agent_id: shortText(memory.agent_id),
    user_id: shortText(memory.user_id),
    external_id: shortText(`${SOURCE}:${id}`),
    tags: [
      SOURCE,
      ...listOf(memory.categories)
        .flatMap((one) => shortText(one) ?? [])
        .slice(0, TAGS_MAX),
    ],
    summary: null,
    metadata: { ...fieldsOf(memory.metadata), ...present({ source_id: id, run_id, app_id }) },
    enriched_by: null,
    content_hash: createHash("sha256").update(content).digest("hex"),
    created_at: timestamp(createdAtMs),
    updated_at: timestamp(createdAtMs),
    given: { tags: true, summary: false },
  };
}
