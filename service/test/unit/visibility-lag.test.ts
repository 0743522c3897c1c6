import { expect, test } from "vitest";
import type { RecordedUpsert } from "../../src/platform/recent-upserts.ts";
import type { VectorStore } from "../../src/platform/vectors.ts";
import { countInvisibleMessages, VisibleUpserts } from "../../src/search/visibility-lag.ts";

const upsert = (vectorId: string, atMs: number): RecordedUpsert => ({
  ...{ vectorId, atMs, textHash: "hash", messages: 2 },
  ...{ agentId: null, userId: null },
});

test("an upsert that was found visible is not checked again, but the same vector is once it is stored again", async () => {
  const visible = new Map([["a", "hash"]]);
  let calls = 0;
  const vectors = {
    async existing(ids: string[]) {
      calls += 1;
      return new Map([...visible].filter(([id]) => ids.includes(id)));
    },
  } as unknown as VectorStore;
  const known = new VisibleUpserts();
  const count = async (organizationId: string, ...recentUpserts: RecordedUpsert[]) => {
    calls = 0;
    const input = { organizationId, recentUpserts };
    return [await countInvisibleMessages(vectors, known, input, 1_000), calls];
  };
  expect(await count("org_a", upsert("a", 1))).toEqual([0, 1]);
  expect(await count("org_a", upsert("a", 1))).toEqual([0, 0]);
  expect(await count("org_b", upsert("a", 1))).toEqual([0, 1]);
  expect(await count("org_a", upsert("b", 2), upsert("a", 1))).toEqual([2, 2]);
  expect(await count("org_a", upsert("b", 2), upsert("a", 1))).toEqual([2, 2]);
  visible.clear();
  expect(await count("org_a", upsert("a", 3))).toEqual([2, 2]);
});
