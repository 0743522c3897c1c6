import type {
  CreateWebhookBody,
  EventPosition,
  UpdateWebhookBody,
  Webhook,
  WebhookWithSecret,
} from "@engram/sdk";
import type { Command } from "commander";
import { contextOf } from "../context.ts";
import { position } from "../event-lines.ts";
import { type Output, oneLine, shownTime, table } from "../output.ts";
import { confirm } from "../terminal.ts";
import { addDeliveries, addRetry, addTest } from "./webhook-deliveries.ts";

type EventTypes = NonNullable<UpdateWebhookBody["types"]>;

export function addWebhooks(program: Command): void {
  const webhooks = program
    .command("webhooks")
    .description("URLs that events are sent to: create, test and repair them; needs the scope admin")
    .addHelpText(
      "after",
      `
Examples:
  $ engram webhooks
  $ engram webhooks create https://hooks.example.com/engram --type messages.appended
`,
    );
  for (const add of [
    addList,
    addCreate,
    addGet,
    addUpdate,
    addDelete,
    addRotate,
    addTest,
    addDeliveries,
    addRetry,
  ])
    add(webhooks);
}

function addList(webhooks: Command): void {
  webhooks
    .command("list", { isDefault: true })
    .description("List webhooks, oldest first, without their secrets")
    .addHelpText(
      "after",
      `
AFTER is the sequence of the last event that was delivered or set aside for a later attempt.

Examples:
  $ engram webhooks
  $ engram webhooks list --json | jq '.items[] | select(.enabled | not).url'
`,
    )
    .action(async (_options: unknown, command: Command) => {
      const { output, client } = contextOf(command);
      const found = await client().webhooks.list();
      output.data(found, () => output.list(["ID", "STATE", "AFTER", "TYPES", "URL"], found.items.map(row)));
      if (found.items.length === 0) output.note("No webhooks found.");
    });
}

const row = (webhook: Webhook): string[] => [
  webhook.id,
  stateOf(webhook),
  String(webhook.after),
  webhook.types?.join(",") ?? "all",
  oneLine(webhook.url),
];

function stateOf({ enabled, disabled_reason, failing_since }: Webhook): string {
  if (!enabled) return `disabled: ${disabled_reason}`;
  return failing_since === null ? "enabled" : `failing since ${shownTime(failing_since)}`;
}

function addCreate(webhooks: Command): void {
  webhooks
    .command("create")
    .description("Create a webhook and print its secret, which is not shown again")
    .argument("<url>", "public URL that events are sent to, with https")
    .option("--type <type...>", "only events of these types; default all")
    .option("--after <position>", "sequence after which events are sent; default now", position)
    .option("--disabled", "send nothing until the webhook is enabled")
    .addHelpText(
      "after",
      `
Examples:
  $ engram webhooks create https://hooks.example.com/engram
  $ engram webhooks create https://hooks.example.com/engram --type memory.created memory.deleted --after 0
`,
    )
    .action(
      async (
        url: string,
        options: { type?: EventTypes; after?: EventPosition; disabled?: boolean },
        command: Command,
      ) => {
        const { output, client } = contextOf(command);
        const body: Partial<CreateWebhookBody> & { url: string } = { url };
        if (options.type !== undefined) body.types = options.type;
        if (options.after !== undefined) body.after = options.after;
        if (options.disabled === true) body.enabled = false;
        const webhook = await client().webhooks.create(body);
        printSecret(output, webhook, `Created ${webhook.id}.`);
      },
    );
}

/** The secret alone goes to stdout, so that it can be piped. */
function printSecret(output: Output, webhook: WebhookWithSecret, done: string): void {
  output.data(webhook, () => webhook.secret);
  output.note(`${done} Its secret is not shown again.`);
}

function addGet(webhooks: Command): void {
  webhooks
    .command("get")
    .description("Show a webhook, without its secret")
    .argument("<id>", "id of the webhook")
    .addHelpText(
      "after",
      `
Examples:
  $ engram webhooks get wh_06e3tqz8m1k4v9x2c7d0
`,
    )
    .action(async (id: string, _options: unknown, command: Command) => {
      const { output, client } = contextOf(command);
      const webhook = await client().webhooks.get(id);
      output.data(webhook, () => shownWebhook(webhook));
    });
}

const shownWebhook = (webhook: Webhook): string =>
  table(
    Object.entries(webhook).map(([name, value]) => [
      name,
      oneLine(value === null ? "-" : Array.isArray(value) ? value.join(",") : String(value)),
    ]),
  );

interface UpdateOptions {
  /** The global option for the service is `--url`. */
  to?: string;
  type?: EventTypes;
  allTypes?: boolean;
  after?: EventPosition;
  enable?: boolean;
  disable?: boolean;
}

function addUpdate(webhooks: Command): void {
  webhooks
    .command("update")
    .description("Change a webhook, enable or disable it, or send earlier events again")
    .argument("<id>", "id of the webhook")
    .option("--to <url>", "new URL")
    .option("--type <type...>", "only events of these types")
    .option("--all-types", "events of all types")
    .option("--after <position>", "send the events after this sequence, again if they were sent", position)
    .option("--enable", "send events")
    .option("--disable", "send no events")
    .addHelpText(
      "after",
      `
Examples:
  $ engram webhooks update wh_06e3tqz8m1k4v9x2c7d0 --enable
  $ engram webhooks update wh_06e3tqz8m1k4v9x2c7d0 --after 1041
`,
    )
    .action(async (id: string, options: UpdateOptions, command: Command) => {
      const { output, client } = contextOf(command);
      const body: UpdateWebhookBody = {};
      if (options.to !== undefined) body.url = options.to;
      if (options.type !== undefined) body.types = options.type;
      if (options.allTypes === true) body.types = null;
      if (options.after !== undefined) body.after = options.after;
      if (options.enable === true) body.enabled = true;
      if (options.disable === true) body.enabled = false;
      const webhook = await client().webhooks.update(id, body);
      output.data(webhook, () => shownWebhook(webhook));
    });
}

function addDelete(webhooks: Command): void {
  webhooks
    .command("delete")
    .description("Delete a webhook; this cannot be undone")
    .argument("<id>", "id of the webhook")
    .option("--yes", "skip the confirmation")
    .addHelpText(
      "after",
      `
Examples:
  $ engram webhooks delete wh_06e3tqz8m1k4v9x2c7d0
`,
    )
    .action(async (id: string, options: { yes?: boolean }, command: Command) => {
      const { output, client } = contextOf(command);
      const engram = client();
      const { url } = await engram.webhooks.get(id);
      await confirm(`Delete ${id}, which sends to ${oneLine(url)}?`, options);
      const webhook = await engram.webhooks.delete(id);
      output.data(webhook, () => `Deleted ${webhook.id}.`);
    });
}

function addRotate(webhooks: Command): void {
  webhooks
    .command("rotate")
    .description("Give a webhook a new secret; the old one also signs for 24 hours")
    .argument("<id>", "id of the webhook")
    .addHelpText(
      "after",
      `
Examples:
  $ engram webhooks rotate wh_06e3tqz8m1k4v9x2c7d0
`,
    )
    .action(async (id: string, _options: unknown, command: Command) => {
      const { output, client } = contextOf(command);
      const webhook = await client().webhooks.rotate(id);
      printSecret(output, webhook, `Rotated ${webhook.id}.`);
    });
}
