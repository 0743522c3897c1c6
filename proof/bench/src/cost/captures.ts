import { openOrganization } from "../recall/memory.ts";
import { settle } from "./organization.ts";
import type { MeteredService } from "./service.ts";
import { addUp, toUnits, toUnitsBesideSweeps, type Units } from "./units.ts";
import type { Workload } from "./workload.ts";

/** Memories of one capture. */
const AT_ONCE = 50;
const PAGE_ITEMS = 100;
const QUOTED_CHARACTERS = 40;

/** Results for memories that cite the same number of messages each, including the indexing and sweeps that follow. */
export interface Captured {
  sources: number;
  memories: number;
  perMemory: Units;
  /** Rows written per memory, by table. */
  writtenTo: Record<string, number>;
  /** Rows read per memory by a list of all. */
  listedRowsRead: number;
  /** Rows read by a get. */
  gotRowsRead: number;
}

/**
 * Capture memories with tags and a summary, 50 in a request, each with quotations of `sources` messages, and read them
 * back. Counts the resources of the memories, not those of the messages.
 */
export async function captureMemories(
  service: MeteredService,
  workload: Workload,
  { sources, memories, perSweep }: { sources: number; memories: number; perSweep: Units },
): Promise<Captured> {
  const client = await openOrganization(service, `memories with ${sources} sources`);
  const [said = []] = workload.conversations();
  const { id: conversation_id } = await client.conversations.create();
  await client.messages.append(conversation_id, { messages: said });
  await settle(client, service);

  const contents = takeContents(workload, memories);
  const quotationsOf = (memory: number) =>
    Array.from({ length: sources }, (_, i) => {
      const place = (memory + i) % said.length;
      const end = Math.min(QUOTED_CHARACTERS, said[place]?.content.length ?? 0);
      return { conversation_id, sequence: place + 1, start: 0, end };
    });
  let lastId = "";
  const capturing = await service.count(async () => {
    for (let from = 0; from < memories; from += AT_ONCE) {
      const part = contents.slice(from, from + AT_ONCE);
      const { items } = await client.memories.createMany({
        memories: part.map((content, i) => {
          return { content, tags: ["decided"], summary: "Decided.", sources: quotationsOf(from + i) };
        }),
      });
      lastId = items.at(-1)?.id ?? "";
    }
  });
  const taken = addUp([capturing, ...(await settle(client, service))]);
  const listing = await service.count(() =>
    client.memories.list({ limit: PAGE_ITEMS }).toArray({ max: memories }),
  );
  const getting = await service.count(() => client.memories.get(lastId));
  const { writtenTo } = taken.usage;
  return {
    sources,
    memories,
    perMemory: toUnitsBesideSweeps(taken, perSweep, memories),
    writtenTo: Object.fromEntries(Object.entries(writtenTo).map(([table, rows]) => [table, rows / memories])),
    listedRowsRead: toUnits(listing, memories).rowsRead,
    gotRowsRead: toUnits(getting, 1).rowsRead,
  };
}

/** What users say, each with its number, so that no two memories have the same content. */
function takeContents(workload: Workload, memories: number): string[] {
  const contents: string[] = [];
  for (const conversation of workload.conversations()) {
    for (const { role, content } of conversation) {
      if (role === "user") contents.push(`${contents.length + 1}: ${content}`);
      if (contents.length === memories) return contents;
    }
  }
  throw new RangeError(`The workload has only ${contents.length} messages of users`);
}
