import type { CreateRetentionRuleBody, PreviewRetentionRuleBody, RetentionRule } from "@engram/sdk";
import { RETENTION_DAYS_MAX } from "@engram/sdk/limits";
import { Argument, type Command, Option } from "commander";
import { contextOf } from "../context.ts";
import { examples, list, wholeNumber } from "../options.ts";
import { count, oneLine, shownTime } from "../output.ts";
import { confirm } from "../terminal.ts";

/** All of the contract: the compiler finds a missing one. */
const KINDS = Object.keys({
  ...{ conversations: 1, memories: 1, events: 1, usage: 1, audit_events: 1, recalls: 1 },
} satisfies Record<RetentionRule["kind"], 1>);
const TIMES = Object.keys({ created_at: 1, updated_at: 1, last_message_at: 1 } satisfies Record<
  RetentionRule["by"],
  1
>);

interface RuleOptions {
  olderThanDays: number;
  by?: string;
  agent?: string;
  user?: string;
  tags?: string[];
  allTags?: string[];
}

export function addRetention(program: Command): void {
  const retention = program
    .command("retention")
    .description("Rules that delete what has reached an age; needs the scope admin")
    .addHelpText(
      ...examples(
        "engram retention",
        "engram retention preview conversations --older-than-days 365 --by last_message_at",
      ),
    );
  retention
    .command("list", { isDefault: true })
    .description("List the rules, oldest first")
    .addHelpText(...examples("engram retention", "engram retention list --json"))
    .action(async (_options: unknown, command: Command) => {
      const { output, client } = contextOf(command);
      const { items } = await client().retention.list();
      output.data({ items }, () =>
        output.list(["ID", "KIND", "OLDER THAN", "BY", "MATCHED", "APPLIED", "NAME"], items.map(row)),
      );
    });
  withRule(retention.command("create").description("Create a rule, which is applied within a few minutes"))
    .requiredOption("--name <name>", "your own name for the rule")
    .option("--dry-run", "only count what the rule would delete")
    .addHelpText(
      ...examples(
        'engram retention create conversations --name "Support chats" --older-than-days 365 --tags support',
        "engram retention create usage --name Usage --older-than-days 730",
      ),
    )
    .action(
      async (kind: string, options: RuleOptions & { name: string; dryRun?: true }, command: Command) => {
        const { output, client } = contextOf(command);
        const rule = { ...toRule(kind, options), name: options.name, dry_run: options.dryRun === true };
        const created = await client().retention.create(rule as CreateRetentionRuleBody);
        output.data(created, () => `Created ${created.id}.`);
      },
    );
  withRule(retention.command("preview").description("Count what a rule would delete now; changes nothing"))
    .addHelpText(...examples("engram retention preview memories --older-than-days 365 --user maria"))
    .action(async (kind: string, options: RuleOptions, command: Command) => {
      const { output, client } = contextOf(command);
      const preview = await client().retention.preview(toRule(kind, options) as PreviewRetentionRuleBody);
      const { matched, complete, samples } = preview;
      output.data(preview, () =>
        [
          `${complete ? "" : "At least "}${count(matched)} would be deleted now.`,
          ...samples.map(oneLine),
        ].join("\n"),
      );
    });
  retention
    .command("delete")
    .description("Delete a rule; what it has deleted stays deleted")
    .argument("<id>", "id of the rule")
    .option("--yes", "skip the confirmation")
    .addHelpText(...examples("engram retention delete ret_06e3tqz8m1k4v9x2c7d0"))
    .action(async (id: string, options: { yes?: boolean }, command: Command) => {
      const { output, client } = contextOf(command);
      const engram = client();
      const { name } = await engram.retention.get(id);
      await confirm(`Delete ${id}, "${oneLine(name)}"?`, options);
      const deleted = await engram.retention.delete(id);
      output.data(deleted, () => `Deleted ${deleted.id}.`);
    });
}

const withRule = (command: Command): Command =>
  command
    .addArgument(new Argument("<kind>", "what is deleted").choices(KINDS))
    .requiredOption(
      "--older-than-days <days>",
      "age in days from which it is deleted",
      wholeNumber(1, RETENTION_DAYS_MAX),
    )
    .addOption(new Option("--by <time>", "time by which the age counts").choices(TIMES))
    .option("--agent <id>", "only conversations or memories of this agent")
    .option("--user <id>", "only those of this user")
    .option("--tags <tags>", "only those with one of these tags, separated by commas", list)
    .option("--all-tags <tags>", "only those with all of these tags, separated by commas", list);

function toRule(kind: string, options: RuleOptions): object {
  const { olderThanDays: older_than_days, by, agent: agent_id, user: user_id } = options;
  const filter = { agent_id, user_id, tags_any: options.tags, tags_all: options.allTags };
  return { kind, older_than_days, by, filter };
}

const row = (rule: RetentionRule): string[] => [
  rule.id,
  rule.kind,
  count(rule.older_than_days),
  rule.by,
  rule.matched === null ? "" : count(rule.matched),
  rule.applied_at === null ? "never" : shownTime(rule.applied_at),
  [oneLine(rule.name), ...(rule.dry_run ? ["dry run"] : [])].join(", "),
];
