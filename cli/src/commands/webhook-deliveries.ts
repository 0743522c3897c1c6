import type { Delivery, ListDeliveriesQuery, WebhookAttempt } from "@engram/sdk";
import { type Command, Option } from "commander";
import { contextOf } from "../context.ts";
import { wholeNumber } from "../options.ts";
import { shownTime } from "../output.ts";

const EXIT_FAILED = 1;
const PAGE_MAX = 100;
const STATUSES: NonNullable<ListDeliveriesQuery["status"]>[] = ["pending", "delivered", "failed"];

interface ListOptions {
  limit: number;
  status?: ListDeliveriesQuery["status"];
}

export function addTest(webhooks: Command): void {
  webhooks
    .command("test")
    .description("Send a test event to a webhook, and show how the receiver responds")
    .argument("<id>", "id of the webhook")
    .addHelpText(
      "after",
      `
The event has the type webhook.test. It is sent once, also while the webhook is disabled. The exit code is 1
if the receiver did not respond with 200 to 299 within 10 seconds.

Examples:
  $ engram webhooks test wh_06e3tqz8m1k4v9x2c7d0
`,
    )
    .action(async (id: string, _options: unknown, command: Command) => {
      const { output, client } = contextOf(command);
      const result = await client().webhooks.test(id);
      output.data(result, () => `${shownResult(result.attempt)} in ${result.attempt.duration_ms} ms`);
      if (result.attempt.error !== null) process.exitCode = EXIT_FAILED;
    });
}

export function addDeliveries(webhooks: Command): void {
  webhooks
    .command("deliveries")
    .description("List the events of which an attempt failed, newest first, with the last attempt")
    .argument("<id>", "id of the webhook")
    .option("--limit <n>", "maximum number of deliveries", wholeNumber(1, 100_000), 20)
    .addOption(new Option("--status <status>", "only deliveries with this status").choices(STATUSES))
    .addHelpText(
      "after",
      `
An event that was delivered at the first attempt is not listed. --json shows the last 12 attempts of each.

Examples:
  $ engram webhooks deliveries wh_06e3tqz8m1k4v9x2c7d0
  $ engram webhooks deliveries wh_06e3tqz8m1k4v9x2c7d0 --status failed --json | jq -r '.items[].id'
`,
    )
    .action(async (id: string, { limit, status }: ListOptions, command: Command) => {
      const { output, client } = contextOf(command);
      const query = { limit: Math.min(limit, PAGE_MAX), status } as ListDeliveriesQuery;
      const found = await client().webhooks.listDeliveries(id, query).toArray({ max: limit });
      output.data({ items: found }, () =>
        output.list(["ID", "STATUS", "NEXT ATTEMPT", "LAST ATTEMPT", "RESULT"], found.map(row)),
      );
      if (found.length === 0) output.note("No deliveries found.");
    });
}

function row({ id, status, next_attempt_at, attempts }: Delivery): string[] {
  const last = attempts.at(-1);
  return [
    id,
    status,
    next_attempt_at === null ? "-" : shownTime(next_attempt_at),
    last === undefined ? "-" : shownTime(last.started_at),
    last === undefined ? "-" : shownResult(last),
  ];
}

const shownResult = ({ status, error }: WebhookAttempt): string =>
  [status, error === "status" ? null : error].filter((part) => part !== null).join(" ");

export function addRetry(webhooks: Command): void {
  webhooks
    .command("retry")
    .description("Send an event again, at once and in the background")
    .argument("<id>", "id of the webhook")
    .argument("<delivery>", "id of the delivery, which is that of its event")
    .addHelpText(
      "after",
      `
It can be any event of the log that the webhook gets, also one that was delivered.

Examples:
  $ engram webhooks retry wh_06e3tqz8m1k4v9x2c7d0 evt_06e3tqz8m1k4v9x2c7d0_1042
`,
    )
    .action(async (id: string, deliveryId: string, _options: unknown, command: Command) => {
      const { output, client } = contextOf(command);
      const delivery = await client().webhooks.retryDelivery(id, deliveryId);
      output.data(delivery, () => `${delivery.id} is sent again.`);
    });
}
