import { expect, test } from "vitest";
import { createPerson } from "./support/program.ts";

test("engram evaluate prints any@k, nDCG and what moved, and exits with 1 when nDCG fell beyond the tolerance", async () => {
  const { client, run } = await createPerson();
  const create = async (content: string) =>
    (await client.memories.create({ content, tags: [], summary: "" })).id;
  const [first, second] = [await create("The walrus sang."), await create("An otter swims.")];
  const request = { mode: "keyword" as const, in: ["memories" as const] };
  await client.evaluations.create({ request: { ...request, query: "walrus" }, expected: [first] });
  await client.evaluations.create({ request: { ...request, query: "otter" }, expected: [second] });
  expect(await run(["evaluate"])).toEqual({
    code: 0,
    stdout: "2 queries: any@k 1.000, nDCG 1.000\n",
    stderr: "",
  });
  await client.memories.delete(first);
  const { code, stdout } = await run(["evaluate", "--tolerance", "0.5"]);
  expect([code, stdout.split("\n")]).toEqual([
    0,
    [
      "2 queries: any@k 0.500, nDCG 0.500",
      "2 of them before: any@k 1.000, nDCG 1.000",
      `walrus: ${first} 1 -> not found`,
      "",
    ],
  ]);
  await client.memories.delete(second);
  const fell = await run(["evaluate", "--json"]);
  expect([fell.code, JSON.parse(fell.stdout)]).toMatchObject([
    1,
    { queries: 2, any: 0, ndcg: 0, compared: 2, before: { any: 0.5, ndcg: 0.5 }, fell: true },
  ]);
  expect(await run(["evaluate", "--tolerance", "2"])).toMatchObject({ code: 2, stdout: "" });
});
