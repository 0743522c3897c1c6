import type { IndexStatus, RepairIndexOperation } from "@engram/sdk";
import { DeployError } from "../deploy-error.ts";

const POLL_MS = 1_000;

type Repair = Pick<RepairIndexOperation, "id" | "status">;

export interface Reindexing {
  status(): Promise<IndexStatus>;
  /** Starts a repair of the index, or returns the running one. */
  repair(): Promise<Repair>;
  get(id: string): Promise<Repair>;
  sleep(ms: number): Promise<void>;
  moved(status: IndexStatus): void;
}

/**
 * Repairs the search index and waits until the repair is done.
 *
 * @returns The final status, without failed messages.
 * @throws {DeployError} If the repair was canceled, texts could not be embedded, or chunks of another model remain.
 */
export async function reindex(index: Reindexing): Promise<IndexStatus> {
  let repair = await index.repair();
  while (repair.status === "running") {
    index.moved(await index.status());
    await index.sleep(POLL_MS);
    repair = await index.get(repair.id);
  }
  if (repair.status === "canceled") throw new DeployError("The repair was canceled.");
  const status = await index.status();
  if (status.failed > 0) {
    throw new DeployError(
      `${count(status.failed)} messages could not be embedded: ${status.last_error?.message}\n` +
        "They are found by their words. To try again: npm run reindex",
    );
  }
  if (status.chunks_of_other_models > 0) {
    throw new DeployError(
      `${count(status.chunks_of_other_models)} chunks of another model are there although all is done: ` +
        "a version of the service with that model still runs. Once it does not: npm run reindex",
    );
  }
  return status;
}

export const count = (number: number): string => number.toLocaleString("en");
