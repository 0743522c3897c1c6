import type { MemoryLine } from "@engram/sdk";
import { type Entry, leftOut, type Missing, notUnderstood, type Source } from "./importer.ts";
import { readItems } from "./json-items.ts";
import { toMemoryLine } from "./memories.ts";
import { contentFlaw, shortText } from "./threads.ts";
import { type Fields, fieldsOf, listOf, millisecondsOf, present, textOf, timeOf, words } from "./values.ts";

const SOURCE = "mem0";

/** Fields of a memory that become fields of the stored one. */
const STORED = words(`
  id memory text content user_id agent_id categories metadata created_at
`);
/** Fields that become metadata. */
const KEPT = words(`
  actor_id app_id app_name attributed_to expiration_date immutable memory_type owner role run_id state
  structured_attributes updated_at
`);
/** Fields that describe mem0's index or the request. */
const DROPPED = ["data", "event", "hash", "messages", "rerank_score", "score", "vector"];

/**
 * Reads the results of `get_all`: a list of memories, or an object with the list. The Python client writes names such
 * as `user_id`, and the TypeScript client `userId`.
 */
export async function* importMem0(source: Source): AsyncGenerator<Entry, void, undefined> {
  let number = 0;
  for await (const item of readItems(source, /^(results|memories)$/)) {
    // All pages of a list, one after the other.
    const page = fieldsOf(item).results;
    for (const one of Array.isArray(page) ? page : [item]) {
      number += 1;
      yield* toEntries(toSnakeCase(fieldsOf(one)), source.name, number);
    }
  }
}

function* toEntries(memory: Fields, file: string, number: number): Generator<Entry, void, undefined> {
  const id = textOf(memory.id);
  const place = `${file}, memory ${id ?? number}`;
  const text = textOf(memory.memory) ?? textOf(memory.text) ?? textOf(memory.content);
  if (id === undefined) return yield notUnderstood("memory", "no id", place);
  if (text === undefined) return yield leftOut("memory", "empty", place);
  const flaw = contentFlaw(text);
  if (flaw !== undefined) return yield leftOut("memory", flaw, place);
  if (memory.state === "deleted") return yield leftOut("memory", "deleted in mem0", place);
  const { line, missing } = toMemory(memory, id, text, place);
  yield* missing;
  yield { type: "memory", line, place };
}

/** Converts the names of a memory's fields, but not those in `metadata`, which the user has chosen. */
const toSnakeCase = (memory: Fields): Fields =>
  Object.fromEntries(
    Object.entries(memory).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

/** An update of the memory in mem0 gives another line, which is refused: an import does not replace a stored memory. */
function toMemory(
  memory: Fields,
  id: string,
  content: string,
  place: string,
): { line: MemoryLine; missing: Missing[] } {
  const missing: Missing[] = [];
  const kept: Fields = {};
  for (const [name, value] of Object.entries(memory)) {
    if (STORED.includes(name) || DROPPED.includes(name) || value === null || value === "") continue;
    kept[name] = value;
    if (!KEPT.includes(name)) missing.push(notUnderstood(`field ${name}`, "kept in metadata", place));
  }
  for (const name of ["user_id", "agent_id"]) {
    if (!memory[name] || shortText(memory[name]) !== null) continue;
    kept[name] = memory[name];
    missing.push(notUnderstood(`field ${name}`, "not an id; kept in metadata", place));
  }
  const { metadata: given } = memory;
  const isMap = typeof given === "object" && !Array.isArray(given);
  if (given !== undefined && !isMap) {
    kept.metadata = given;
    missing.push(notUnderstood("field metadata", "not an object; kept in metadata", place));
  }
  const metadata = { ...fieldsOf(given), ...present({ source_id: id }), ...kept };
  const createdAtMs = timeOfField(memory.created_at);
  if (memory.created_at && Number.isNaN(createdAtMs))
    missing.push(notUnderstood("field created_at", "not a time; the time of the import is used", place));
  const line = toMemoryLine({
    source: SOURCE,
    id,
    content,
    createdAtMs,
    userId: memory.user_id,
    agentId: memory.agent_id,
    tags: listOf(memory.categories),
    metadata,
  });
  for (const name of Object.keys(metadata))
    if (!(name in line.metadata))
      missing.push(leftOut(`metadata ${name}`, "cannot be stored exactly", place));
  return { line, missing };
}

/** ISO 8601 in exports of mem0, Unix time in those of OpenMemory. */
const timeOfField = (value: unknown): number =>
  typeof value === "number" ? millisecondsOf(value) : timeOf(value);
