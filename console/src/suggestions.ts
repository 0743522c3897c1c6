import { PAGE_ITEMS_MAX } from "@engram/sdk/limits";
import { engram } from "./session.ts";

/** Which values a filter suggests. */
export type Suggested = "users" | "agents" | "tags";

interface Owned {
  user_id: string | null;
  agent_id: string | null;
  tags: readonly string[];
}

/** The values that the newest conversations and memories have, and for users the first ones of all. */
export async function suggestionsFor(of: Suggested, signal: AbortSignal): Promise<string[]> {
  const query = { limit: PAGE_ITEMS_MAX };
  const { conversations, memories, users } = engram();
  const lists = [
    conversations.list(query, { signal }).page().then(ownedIn),
    memories.list(query, { signal }).page().then(ownedIn),
    ...(of === "users"
      ? [
          users
            .list(query, { signal })
            .page()
            .then(({ items }) => items.map(({ id }) => id)),
        ]
      : []),
  ];
  function ownedIn({ items }: { items: readonly Owned[] }): string[] {
    return items.flatMap(({ user_id, agent_id, tags }) =>
      of === "tags" ? tags : ((of === "users" ? user_id : agent_id) ?? []),
    );
  }
  // A list that the key may not read suggests nothing, and is no failure.
  const settled = await Promise.allSettled(lists);
  return [...new Set(settled.flatMap((list) => (list.status === "fulfilled" ? list.value : [])))];
}
