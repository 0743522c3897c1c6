// Resources (in Mastra, usually users). Each is stored as a memory of its user, with the working memory as content.
import type { StorageResourceType } from "@mastra/core/storage";
import type { Engram } from "../../engram.ts";
import type { CreateMemoryBody } from "../../generated/schema.ts";
import { hasCode } from "../external-conversation.ts";
import { wellFormed } from "../json.ts";
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
  (await client.memories.list({ external_id: TAG, user_id, limit: 1 }).page()).items[0];

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
  for (;;) {
    const found = await find(client, id);
    if (found === undefined) {
      const resource = change(null);
      const { response } = await client.memories.create(toBody(resource)).withResponse();
      if (response.status === 201) return resource;
      continue;
    }
    try {
      const { data, etag } = await client.memories.get(found.id).withResponse();
      const resource = change(toResource(data.parts));
      await client.memories.put(toBody(resource), { ifMatch: etag });
      return resource;
    } catch (error) {
      if (!hasCode(error, "precondition_failed") && !hasCode(error, "not_found")) throw error;
    }
  }
}

export const deleteResources = (client: Engram) => client.memories.deleteMany({ tags_any: [TAG] });
