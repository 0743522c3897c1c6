import type { IndexStatus, RepairIndexOperation } from "@engram/sdk";
import { DeployError } from "../deploy-error.ts";

const POLL_MS = 1_000;

type Repair = Pick<RepairIndexOperation, "id" | "status"> & Partial<Pick<RepairIndexOperation, "progress">>;

export interface Reindexing {
  index: {
    status(): Promise<IndexStatus>;
    repair(): Promise<Repair>;
    get(id: string): Promise<Repair>;
  };
  sleep(ms: number): Promise<void>;
  /** Called with a text for the user once a repair was started, or one seems to be running already. */
  started(text: string): void;
  moved(status: IndexStatus): void;
}

/**
 * Repairs the search index and waits until the repair is done. If a repair seems to be running already,
 * waits for that one, and starts a new one only if chunks of another model remain.
 *
 * @returns The final status, without pending or failed messages.
 * @throws {DeployError} If texts could not be embedded, with the reason, or if chunks of another model
 * remain.
 */
export async function reindex({ index, sleep, started, moved }: Reindexing): Promise<IndexStatus> {
  let repair: Repair | null = null;
  const queue = async () => {
    repair = await index.repair();
    const total = repair.progress?.total ?? null;
    started(total === null ? "Queued the first conversations." : `Queued ${count(total)} conversations.`);
  };
  /**
   * True if the service had not yet queued all conversations of the repair. Then also reads the repair again.
   * At such a time no message may be pending, although the repair continues.
   */
  const wasQueuing = async () => {
    if (repair?.status !== "running" || repair.progress?.total !== null) return false;
    repair = await index.get(repair.id);
    return true;
  };
  let status = await index.status();
  const isUnderWay = isMixed(status) && status.pending > 0;
  if (isUnderWay) started("It is under way already.");
  else await queue();
  let isQueued = !isUnderWay;
  for (;;) {
    status = await index.status();
    if (status.pending > 0 || (await wasQueuing())) {
      moved(status);
      await sleep(POLL_MS);
    } else if (isMixed(status) && !isQueued) {
      // The pending messages were new ones, not those of a repair.
      await queue();
      isQueued = true;
    } else {
      break;
    }
  }
  if (status.failed > 0) {
    throw new DeployError(
      `${count(status.failed)} messages could not be embedded: ${status.last_error?.message}\n` +
        "They are found by their words. To try again: npm run reindex",
    );
  }
  if (isMixed(status)) {
    throw new DeployError(
      `${count(status.chunks_of_other_models)} chunks of another model are there although all is done: ` +
        "a version of the service with that model still runs. Once it does not: npm run reindex",
    );
  }
  return status;
}

const isMixed = (status: IndexStatus): boolean => status.chunks_of_other_models > 0;

export const count = (number: number): string => number.toLocaleString("en");
