import type { ReceiptModel } from "../model/model.ts";
import { expect } from "../violation.ts";
import type { Answer } from "../world.ts";
import type { Client } from "./client.ts";

/** Operations that can be canceled while they are incomplete. */
const CANCELABLE = [
  "delete_memories",
  "delete_conversations",
  "delete_user",
  "enrich_memories",
  "repair_index",
];

/** Cancels one of the last long-running operations; its remaining steps are not started. */
export async function cancelOperation(client: Client): Promise<void> {
  const { model, organization, random } = client;
  const last = model.receipts
    .filter((receipt) => receipt.organization === organization && CANCELABLE.includes(receipt.type))
    .slice(-3);
  const receipt = last[random.between(0, Math.max(0, last.length - 1))];
  if (receipt !== undefined) await cancel(client, receipt);
}

/** Cancels one operation. Its progress and counts must not change afterwards. */
export async function cancel(
  client: Client,
  receipt: Pick<ReceiptModel, "operationId" | "type">,
): Promise<void> {
  const path = `/v1/operations/${receipt.operationId}`;
  const { answer } = await client.ask({
    name: `cancel ${receipt.type}`,
    method: "POST",
    path: `${path}/cancel`,
  });
  if (answer?.status !== 200) return;
  // A second cancel and a read must both show the same progress.
  const ask = client.random.pick([
    { method: "POST", path: `${path}/cancel` },
    { method: "GET", path },
  ] as const);
  const again = await client.ask({ name: "look at what was canceled", ...ask });
  if (again.answer?.status !== 200) return;
  expect(
    again.answer.body.status === "canceled" && countsOf(again.answer.body) === countsOf(answer.body),
    "receipts",
    () =>
      `${receipt.operationId} was canceled at ${JSON.stringify(answer.body)}, and is at ${JSON.stringify(again.answer?.body)}`,
  );
}

/** Set while rows of what was soft-deleted are removed, which goes on when the operation is canceled. */
const SET_LATER = [
  ...["completed_at", "rows_deleted_at", "vectors_deleted_at", "recoverable_until"],
  ...["memory_versions_deleted", "summaries_deleted", "recalls_deleted"],
];

/** Everything that an operation counts until it is canceled, to compare. */
export const countsOf = (operation: object): string =>
  JSON.stringify(Object.entries(operation).filter(([name]) => !SET_LATER.includes(name)));

/** Checks that the counts of an operation's type fit its progress and status. */
export function judgeOperation({ type, status, progress, ...counts }: Answer["body"]): void {
  const done = {
    delete_conversations: counts.soft_deleted,
    delete_memories: counts.soft_deleted,
    delete_user: counts.soft_deleted,
    delete_organization: counts.purged,
    repair_index: counts.reindexed + counts.failed,
    import: counts.lines_processed,
  }[type as string];
  const isFailed = status === "failed";
  expect(
    (done === undefined || done === progress.done) &&
      isFailed === (type === "repair_index" && counts.problem !== null) &&
      (!isFailed || counts.failed > 0),
    "receipts",
    () => `${counts.id} is ${status} with ${JSON.stringify({ progress, ...counts })}`,
  );
}
