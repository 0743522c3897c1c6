// Resources (in Mastra, usually users). Each is stored as a memory of its user, with the working memory as content.
import type { StorageResourceType } from "@mastra/core/storage";
import type { Engram } from "../../engram.ts";
import type { CreateMemoryBody } from "../../generated/schema.ts";
import { wellFormed } from "../../well-formed.ts";
import { repeater } from "../external-conversation.ts";
import { fromParts, toParts } from "../parts.ts";

const TAG = "mastra-resource";

const toBody = (resource: StorageResourceType): CreateMemoryBody & { external_id: string } => ({
  external_id: TAG,
  user_id: resource.id,
  content: wellFormed(resource.workingMemory ?? ""),
  ...toParts(resource),
  tags: [TAG],
});

function toResource(parts: unknown): StorageResourceType {
  const resource = fromParts<StorageResourceType>(parts as Parameters<typeof fromParts>[0]);
  return { ...resource, createdAt: new Date(resource.createdAt), updatedAt: new Date(resource.updatedAt) };
}

const find = async (client: Engram, user_id: string) =>
  (await client.memories.list({ external_id: TAG, user_id, exact_owner: true, limit: 1 }).page()).items[0];

export async function readResource(client: Engram, id: string): Promise<StorageResourceType | null> {
  const memory = await find(client, id);
  return memory === undefined ? null : toResource(memory.parts);
}

export const saveResource = (client: Engram, resource: StorageResourceType) =>
  client.memories.put(toBody(resource));

/** Changes a resource. Repeats the change if another request changes the resource at the same time. */
export async function changeResource(
  client: Engram,
  id: string,
  change: (before: StorageResourceType | null) => StorageResourceType,
): Promise<StorageResourceType> {
  const mayRepeat = repeater("precondition_failed", "not_found", "external_id_conflict");
  for (;;) {
    let version: string | null = null;
    try {
      let memory = await find(client, id);
      if (memory === undefined) {
        const resource = change(null);
        const { data, response } = await client.memories.create(toBody(resource)).withResponse();
        if (response.status === 201) return resource;
        // Another request has created it with the same working memory.
        memory = data;
      }
      const { data, etag } = await client.memories.get(memory.id).withResponse();
      version = etag;
      const resource = change(toResource(data.parts));
      await client.memories.put(toBody(resource), { ifMatch: etag });
      return resource;
    } catch (error) {
      mayRepeat(error, version);
    }
  }
}

export const deleteResources = (client: Engram) => client.memories.deleteMany({ tags_any: [TAG] });
