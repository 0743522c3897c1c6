import type { MessageRole } from "@engram/sdk";
import { type Entry, leftOut, type Source } from "./importer.ts";
import { readItems } from "./json-items.ts";
import { toEntries } from "./threads.ts";
import { fieldsOf, listOf, present, textOf, timeOf, titleFrom } from "./values.ts";

/** A memory with any other role, or none, becomes a message with the role `user`. */
const ROLES = new Map<unknown, MessageRole>([["assistant", "assistant"]]);
const TAGS_MAX = 60;

/** Each memory becomes a conversation of one message, because memories of a user have no stable order. */
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
    const createdAtMs = timeOf(memory.created_at);
    const categories = listOf(memory.categories).filter((category) => textOf(category) !== undefined);
    yield* toEntries({
      externalId: `mem0:${id}`,
      title: titleFrom(text),
      createdAtMs,
      userId: memory.user_id,
      agentId: memory.agent_id,
      tags: ["mem0", ...(categories as string[]).slice(0, TAGS_MAX)],
      metadata: present({ source: "mem0", source_id: id, run_id: memory.run_id, app_id: memory.app_id }),
      place,
      messages: [
        {
          id,
          sequence: 1,
          atMs: createdAtMs,
          role: ROLES.get(memory.role) ?? "user",
          content: text,
          metadata: fieldsOf(memory.metadata),
          place,
        },
      ],
    });
  }
}
