import type { CreateHoldBody, Hold, HoldDetails, HoldFilter } from "@engram/sdk";
import { type Command, Option } from "commander";
import { UsageError } from "../command-error.ts";
import { contextOf } from "../context.ts";
import { examples, list, moment } from "../options.ts";
import { count, oneLine, shownTime } from "../output.ts";
import { confirm } from "../terminal.ts";

const EXAMPLE = "hold_06e3tqz8m1k4v9x2c7d0";

export function addHolds(program: Command): void {
  const holds = program
    .command("holds")
    .description("Set and lift legal holds, which nothing is deleted or edited under; needs the scope admin")
    .addHelpText(...examples("engram holds", 'engram holds create "Case 2026-114" --user maria'));
  addList(holds);
  addCreate(holds);
  addGet(holds);
  addLift(holds);
}

function addList(holds: Command): void {
  holds
    .command("list", { isDefault: true })
    .description("List holds, newest first")
    .addOption(new Option("--status <status>", "only these").choices(["active", "lifted"]))
    .addHelpText(...examples("engram holds", "engram holds list --status active --json"))
    .action(async ({ status }: { status?: Hold["status"] }, command: Command) => {
      const { output, client } = contextOf(command);
      const query = status === undefined ? {} : { status };
      const found = await client().holds.list(query).toArray({ max: Number.POSITIVE_INFINITY });
      output.data({ items: found }, () =>
        output.list(["ID", "STATUS", "SINCE", "HOLDS", "REASON"], found.map(row)),
      );
    });
}

const row = (hold: Hold): string[] => [
  hold.id,
  hold.status,
  shownTime(hold.created_at),
  whatOf(hold),
  oneLine(hold.reason),
];

const whatOf = ({ filter, item_count }: Hold): string =>
  filter === null ? `${count(item_count ?? 0)} ids` : oneLine(JSON.stringify(filter));

interface Filters {
  only?: HoldFilter["corpus"];
  user?: string;
  agent?: string;
  tags?: string[];
  allTags?: string[];
  after?: string;
  before?: string;
}

function addCreate(holds: Command): void {
  holds
    .command("create")
    .description("Hold conversations and memories by their ids or by a filter")
    .argument("<reason>", "why, such as the number of a case")
    .argument("[id...]", "ids of conversations and memories")
    .addOption(new Option("--only <corpus>", "only these").choices(["conversations", "memories"]))
    .option("--user <id>", "only items of this user")
    .option("--agent <id>", "only items of this agent")
    .option("--tags <tags>", "only items with one of these tags, separated by commas", list)
    .option("--all-tags <tags>", "only items with all of these tags, separated by commas", list)
    .option("--after <time>", "only items created at or after this time", moment)
    .option("--before <time>", "only items created before this time", moment)
    .option("--everything", "hold everything, now and later")
    .addHelpText(
      ...examples(
        'engram holds create "Case 2026-114" --user maria',
        'engram holds create "Case 2026-115" conv_06e3tqz8m1k4v9x2c7d0 mem_06e3tqz8m1k4v9x2c7d0',
        'engram holds create "Audit" --everything',
      ),
    )
    .action(
      async (
        reason: string,
        ids: string[],
        { everything = false, ...options }: Filters & { everything?: boolean },
        command: Command,
      ) => {
        const { output, client } = contextOf(command);
        const hold = await client().holds.create(toBody(reason, ids, options, everything));
        output.data(hold, () => `Created ${hold.id}.`);
      },
    );
}

function toBody(reason: string, ids: string[], options: Filters, everything: boolean): CreateHoldBody {
  const given = Object.keys(options).length > 0;
  if (Number(ids.length > 0) + Number(given) + Number(everything) !== 1)
    throw new UsageError("Give ids, options that say what to hold, or --everything.");
  if (ids.length > 0) return { reason, ids };
  const { only, user, agent, tags, allTags, after, before } = options;
  const filter = {
    ...{ corpus: only, user_id: user, agent_id: agent, tags_any: tags, tags_all: allTags },
    ...{ created_after: after, created_before: before },
  } as HoldFilter;
  return { reason, filter };
}

function addGet(holds: Command): void {
  holds
    .command("get")
    .description("Show a hold, and how much it holds")
    .argument("<id>", "id of the hold")
    .addHelpText(...examples(`engram holds get ${EXAMPLE}`))
    .action(async (id: string, _options: unknown, command: Command) => {
      const { output, client } = contextOf(command);
      const hold = await client().holds.get(id);
      output.data(hold, () => [row(hold).join("  "), heldBy(hold), ...(hold.ids ?? [])].join("\n"));
    });
}

const heldBy = ({ conversations, memories, complete }: HoldDetails): string => {
  const atLeast = complete ? "" : "at least ";
  return `Holds ${atLeast}${count(conversations)} conversations and ${count(memories)} memories.`;
};

function addLift(holds: Command): void {
  holds
    .command("lift")
    .description("Lift a hold; what no other hold holds can be deleted again")
    .argument("<id>", "id of the hold")
    .option("--yes", "skip the confirmation")
    .addHelpText(...examples(`engram holds lift ${EXAMPLE}`))
    .action(async (id: string, options: { yes?: boolean }, command: Command) => {
      const { output, client } = contextOf(command);
      const engram = client();
      const { reason } = await engram.holds.get(id);
      await confirm(`Lift ${id}, "${oneLine(reason)}"?`, options);
      const hold = await engram.holds.lift(id);
      output.data(hold, () => `Lifted ${hold.id}.`);
    });
}
