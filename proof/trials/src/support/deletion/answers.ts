import { ApiError, type Engram } from "@engram/sdk";
import type { Stored } from "./stored.ts";

export const MODES = ["hybrid", "semantic", "keyword"] as const;
type Mode = (typeof MODES)[number];
type Ask = () => PromiseLike<unknown>;

const LIMIT = 50;
const PAGE = 100;
const MESSAGES_PAGE = 1_000;

/** Every search that could find a text. */
export function searchesFor(
  client: Engram,
  { kind, text, marker }: Stored,
  modes: readonly Mode[] = MODES,
): Ask[] {
  return modes.flatMap((mode): Ask[] => {
    const asked = { query: mode === "keyword" ? marker : text, mode, limit: LIMIT };
    return [
      kind === "memory" ? () => client.memories.search(asked) : () => client.search(asked),
      () => client.search({ ...asked, in: ["conversations", "memories"] }),
    ];
  });
}

/** Every other read of a text: the item itself, its conversation, and the lists that contain it. */
export const readsOf = (client: Engram, { kind, id, homeId }: Stored): Ask[] =>
  kind === "memory"
    ? [() => client.memories.get(id), () => client.memories.list({ limit: PAGE }).page()]
    : [
        () => client.messages.get(homeId, id),
        () => client.messages.list(homeId, { limit: MESSAGES_PAGE }).page(),
        () => client.conversations.get(homeId),
        () => client.conversations.list({ limit: PAGE, sort: "created_at" }).page(),
      ];

/** All responses as JSON. Empty for a response of 404. */
export async function answersTo(asks: Ask[]): Promise<string> {
  const answered = await Promise.all(
    asks.map(async (ask) => {
      try {
        return JSON.stringify(await ask());
      } catch (error) {
        if (error instanceof ApiError && error.code === "not_found") return "";
        throw error;
      }
    }),
  );
  return answered.join("\n");
}
