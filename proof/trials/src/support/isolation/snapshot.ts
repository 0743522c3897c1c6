import type { Tenant } from "./tenants.ts";

/** Read all of a tenant's samples over the API, as one text that is equal as long as nothing changes. */
export async function readSnapshot({ requester, samples, scopes }: Tenant): Promise<string> {
  const read: unknown[] = [];
  const get = async (path: string) => read.push(await requester.make("GET", path));
  const each = (name: keyof Tenant["samples"][number]) => new Set(samples.map((sample) => sample[name]));
  for (const id of each("conversation_id")) {
    await get(`/v1/conversations/${id}?message_limit=500`);
    await get(`/v1/conversations/${id}/messages?limit=1000`);
  }
  for (const id of each("external_id")) await get(`/v1/conversations?external_id=${id}&include_total=true`);
  for (const id of each("memory_id")) await get(`/v1/memories/${id}`);
  for (const source of each("source"))
    await get(`/v1/memories?source=${source}&include_total=true&order=asc`);
  if (scopes.includes("admin")) for (const id of each("key_id")) await get(`/v1/keys/${id}`);
  for (const id of each("operation_id")) {
    // Without the progress, which changes in the background.
    const { type, target_id } = await requester.make<{ type: string; target_id: string }>(
      "GET",
      `/v1/operations/${id}`,
    );
    read.push({ type, target_id });
  }
  for (const { conversation_id, message_id, word, text } of samples)
    for (const body of [
      { query: word, mode: "keyword", conversation_id },
      { query: text, mode: "semantic", conversation_id },
    ]) {
      const { results } = await requester.make<{ results: { messages: { id: string }[] }[] }>(
        "POST",
        "/v1/search",
        body,
      );
      read.push(results.some(({ messages }) => messages.some(({ id }) => id === message_id)));
    }
  for (const { memory_id, source, word, text } of samples)
    for (const body of [
      { query: word, mode: "keyword", source },
      { query: text, mode: "semantic", source },
    ]) {
      const { results } = await requester.make<{ results: { memory: { id: string } }[] }>(
        "POST",
        "/v1/memories/search",
        body,
      );
      read.push(results.some(({ memory }) => memory.id === memory_id));
    }
  return JSON.stringify(read, null, 1);
}
