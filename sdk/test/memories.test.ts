import { describe, expect, test } from "vitest";
import { Engram, type MemoriesFilter } from "../src/index.ts";

/** A client, and the bodies that it sent. */
function createClient() {
  const sent: unknown[] = [];
  const fetch = async (request: Request) => {
    sent.push(await request.json());
    return Response.json({});
  };
  return {
    client: new Engram({ apiKey: "engram_sk_live_test", baseUrl: "http://engram.test", fetch }),
    sent,
  };
}

describe("what memories to delete", () => {
  test("is a filter, or all of them when all are named", async () => {
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

  // Dropped on the way, the condition would have spared what now is gone.
  test("keeps a condition next to `all`, so that the service rejects the two", async () => {
    const { client, sent } = createClient();
    const both: MemoriesFilter & { all: true } = { all: true, agent_id: "bot" };
    await client.memories.deleteMany(both);
    expect(sent).toEqual([both]);
  });
});
