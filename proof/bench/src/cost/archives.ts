import { openOrganization } from "../recall/memory.ts";
import { settle } from "./organization.ts";
import type { MeteredService } from "./service.ts";
import { addUp, toUnitsBesideSweeps, type Units } from "./units.ts";
import type { Workload } from "./workload.ts";

/** Upper bound on the sweeps until the archive is complete. */
const SWEEPS_MAX = 1_000;

/** An archive of one organization, with the sweeps that write it. */
export interface Archived {
  messages: number;
  parts: number;
  perMessage: Units;
  /** Largest number of D1 statements in one invocation. */
  statementsMost: number;
  storedBytesPerMessage: number;
}

/** Stores the conversations of a workload, at least `messages` in all, and archives them. */
export async function archiveMessages(
  service: MeteredService,
  workload: Workload,
  { messages: least, perSweep }: { messages: number; perSweep: Units },
): Promise<Archived> {
  const client = await openOrganization(service, "archived");
  let messages = 0;
  for (const said of workload.conversations()) {
    const { id } = await client.conversations.create();
    await client.messages.append(id, { messages: said });
    messages += said.length;
    if (messages >= least) break;
  }
  await settle(client, service);
  let id = "";
  const taken = [
    await service.count(async () => {
      ({ target_id: id } = await client.archives.create());
    }),
  ];
  for (;;) {
    const { completed_at, part_count, stored_bytes } = await client.archives.get(id);
    if (completed_at !== null) {
      const sum = addUp(taken);
      return {
        messages,
        parts: part_count,
        perMessage: toUnitsBesideSweeps(sum, perSweep, messages),
        statementsMost: sum.usage.statementsMost,
        storedBytesPerMessage: stored_bytes / messages,
      };
    }
    if (taken.length > SWEEPS_MAX) throw new Error("The archive is not completed.");
    taken.push(await service.count(() => service.sweep()));
  }
}
