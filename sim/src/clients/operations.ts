import type { ReceiptModel } from "../model/model.ts";
import { expect } from "../violation.ts";
import type { Client } from "./client.ts";

/** Operations that can be canceled while they are incomplete. */
const CANCELABLE = ["delete_memories", "delete_conversations", "enrich_memories", "repair_index"];

/** Cancels one of the last long-running operations; its remaining steps are not started. */
export async function cancelOperation(client: Client): Promise<void> {
  const { model, organization, random } = client;
  const last = model.receipts
    .filter((receipt) => receipt.organization === organization && CANCELABLE.includes(receipt.type))
    .slice(-3);
  const receipt = last[random.between(0, Math.max(0, last.length - 1))];
  if (receipt !== undefined) await cancel(client, receipt);
}

/** Cancels one operation. Its progress must not change afterwards. */
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
  const { status, progress } = again.answer.body;
  expect(
    status === "canceled" && JSON.stringify(progress) === JSON.stringify(answer.body.progress),
    "receipts",
    () =>
      `${receipt.operationId} was canceled at ${JSON.stringify(answer.body)}, and is at ${JSON.stringify(again.answer?.body)}`,
  );
}
