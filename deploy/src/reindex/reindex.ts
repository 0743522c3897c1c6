import type { IndexStatus, Operation } from "@engram/sdk";
import { DeployError } from "../deploy-error.ts";

/** How often the service is asked how far it is. */
const POLL_MS = 1_000;

export interface Reindexing {
  index: { status(): Promise<IndexStatus>; repair(): Promise<Pick<Operation, "progress">> };
  sleep(ms: number): Promise<void>;
  /** Told what is begun, once. */
  started(text: string): void;
  /** Told how far it is, again and again. */
  moved(status: IndexStatus): void;
}

/**
 * Have every message embedded anew under the model in use, and wait until that is done. What an earlier
 * call began and left is only waited for.
 *
 * @returns The state at the end: nothing is pending or failed, and no chunk of another model is left.
 * @throws {DeployError} Saying what could not be embedded, and why.
 */
export async function reindex({ index, sleep, started, moved }: Reindexing): Promise<IndexStatus> {
  const queue = async () => {
    const { progress } = await index.repair();
    started(`Queued ${count(progress?.total ?? 0)} conversations.`);
  };
  let status = await index.status();
  const isUnderWay = isMixed(status) && status.pending > 0;
  if (isUnderWay) started("It is under way already.");
  else await queue();
  let isQueued = !isUnderWay;
  for (;;) {
    status = await index.status();
    if (status.pending > 0) {
      moved(status);
      await sleep(POLL_MS);
    } else if (isMixed(status) && !isQueued) {
      // What was pending was something that had just been said, and nobody had queued the rest.
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

/** A number as people read it. */
export const count = (number: number): string => number.toLocaleString("en");
