import { setTimeout as sleep } from "node:timers/promises";
import { Engram } from "@engram/sdk";
import type { Progress } from "../../../support/progress.ts";
import type { Said, Workload } from "../cost/workload.ts";

const BATCH = 50;
const POLL_MS = 250;
/** Without progress for this long, indexing counts as stuck. */
const STALLED_MS = 300_000;

/** An organization of a running service, with a key that has every scope. */
export interface Opened {
  organizationId: string;
  key: string;
}

export async function openOrganization(
  service: { url: string; adminToken: string },
  name: string,
): Promise<Opened> {
  const operator = new Engram({ baseUrl: service.url, apiKey: service.adminToken });
  const { organization, key } = await operator.organizations.create({ name });
  return { organizationId: organization.id, key: key.secret };
}

/**
 * Store this many messages of a workload, cutting off the last conversation, and wait until they are indexed.
 */
export async function fillOrganization(
  client: Engram,
  workload: Workload,
  messages: number,
  progress: Progress,
): Promise<void> {
  let stored = 0;
  for (const conversation of workload.conversations()) {
    const said = conversation.slice(0, messages - stored);
    await store(client, said);
    stored += said.length;
    progress(`storing, ${stored} of ${messages} messages`);
    if (stored === messages) break;
  }
  await whenIndexed(client, progress);
}

async function store(client: Engram, conversation: Said[]): Promise<void> {
  const { id } = await client.conversations.create();
  for (let from = 0; from < conversation.length; from += BATCH) {
    await client.messages.append(id, { messages: conversation.slice(from, from + BATCH) });
  }
}

/** Resolves when every message has its vectors and all replaced vectors are purged. */
async function whenIndexed(client: Engram, progress: Progress): Promise<void> {
  let leftBefore = Number.POSITIVE_INFINITY;
  let movedAtMs = Date.now();
  for (;;) {
    const { pending, failed, deletions_pending, last_error } = await client.index.status();
    const left = pending + deletions_pending;
    if (failed > 0 || Date.now() - movedAtMs > STALLED_MS) {
      throw new Error(`Indexing stands still: ${left + failed} wait. ${last_error?.message ?? ""}`);
    }
    if (left === 0) return;
    progress(`indexing, ${left} to go`);
    if (left < leftBefore) movedAtMs = Date.now();
    leftBefore = Math.min(leftBefore, left);
    await sleep(POLL_MS);
  }
}
