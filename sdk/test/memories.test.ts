import { describe, expect, test } from "vitest";
import type { MemoriesFilter } from "../src/index.ts";
import { clientOf } from "./support/client.ts";

/** A client, and the bodies of its requests. */
function createClient() {
  const sent: unknown[] = [];
  const client = clientOf(async (request) => {
    sent.push(await request.json());
    return Response.json({});
  });
  return { client, sent };
}

describe("memories.deleteMany and memories.countToDelete", () => {
  test("send a filter, or `all` if the caller gives it", async () => {
    const { client, sent } = createClient();
    await client.memories.deleteMany({ agent_id: "bot" });
    await client.memories.countToDelete({ source: "slack" });
    await client.memories.deleteMany({ all: true });
    await client.memories.countToDelete({ all: true });
    expect(sent).toEqual([
      { filter: { agent_id: "bot" } },
      { filter: { source: "slack" }, dry_run: true },
      { all: true },
      { all: true, dry_run: true },
    ]);
  });

  // Without the condition, all memories would be deleted.
  test("send a filter together with `all`, so that the service rejects both", async () => {
    const { client, sent } = createClient();
    const both: MemoriesFilter & { all: true } = { all: true, agent_id: "bot" };
    await client.memories.deleteMany(both);
    expect(sent).toEqual([both]);
  });
});
