import type { TrialService } from "./service.ts";
import type { Findings } from "./trial.ts";

const EACH = 20;

/** Capture one content concurrently, then many contents per racer, in bulk and in different orders. */
export async function raceCaptures(service: TrialService, racers: number, findings: Findings): Promise<void> {
  const { client } = service;
  const one = { content: "Everybody captures this at once." };
  const answers = await Promise.all(
    Array.from({ length: racers }, () => client.memories.create(one).withResponse()),
  );
  const ids = new Set(answers.map(({ data }) => data.id));
  const created = answers.filter(({ response }) => response.status === 201).length;
  findings.figure("one content raced", `${racers} times: ${ids.size} memory, ${created} created`);
  findings.expect(ids.size === 1, () => `One content became ${ids.size} memories.`);
  findings.expect(
    created === 1,
    () => `${created} of ${racers} concurrent captures answered that they created it.`,
  );

  const memories = Array.from({ length: EACH }, (_, i) => ({ content: `Raced in bulk: ${i}.` }));
  const orders = Array.from({ length: racers }, (_, racer) =>
    memories.map((_, i) => memories[(i + racer) % EACH] ?? one),
  );
  const bulk = await Promise.all(orders.map((order) => client.memories.createMany({ memories: order })));
  const idsOf = Map.groupBy(
    bulk.flatMap(({ items }, racer) =>
      items.map((item, i) => ({ ...item, content: orders[racer]?.[i]?.content ?? "" })),
    ),
    ({ content }) => content,
  );
  for (const [content, items] of idsOf) {
    const distinct = new Set(items.map(({ id }) => id)).size;
    const news = items.filter((item) => item.created).length;
    findings.expect(
      distinct === 1 && news === 1,
      () => `${content} became ${distinct} memories, created ${news} times.`,
    );
  }
  const stored = await client.memories.list({ limit: 100 }).toArray({ max: racers * EACH });
  findings.expect(stored.length === EACH + 1, () => `${stored.length} memories are there, not ${EACH + 1}.`);
}
