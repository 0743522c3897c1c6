import type { Usage, UsageGroup } from "@engram/sdk";
import { PAGE_ITEMS_MAX } from "@engram/sdk/limits";
import { formatBytes, formatDay, formatNumber } from "../format.ts";
import { LATER } from "../later-messages.ts";
import { usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Facts } from "../parts/basics.tsx";
import { type Filter, filtered, filterValue } from "../parts/filters.tsx";
import { KeyName, type KeyNames, useKeyNames } from "../parts/key-name.tsx";
import { ListScreen } from "../parts/list-screen.tsx";
import type { Column } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { linkTo, route } from "../route.ts";
import { engram } from "../session.ts";

const texts = LATER.usage;
const { columns } = MESSAGES;

const FILTERS: readonly Filter[] = [
  { name: "per", label: texts.per, placeholder: texts.dayAndKey, choices: ["user"], isField: true },
  { name: "from", label: texts.from, type: "date" },
  { name: "to", label: texts.to, type: "date" },
  { name: "key_id", label: columns.key },
];

type Measure = "requests" | "errors" | "messages" | "message_bytes" | "searches" | "embeddings";

const MEASURES: readonly { of: Measure; title: string; isMinor?: true; format(value: number): string }[] = [
  { of: "requests", title: columns.requests, format: formatNumber },
  { of: "errors", title: columns.errors, format: formatNumber },
  { of: "messages", title: columns.messages, isMinor: true, format: formatNumber },
  { of: "message_bytes", title: columns.size, isMinor: true, format: formatBytes },
  { of: "searches", title: columns.searches, isMinor: true, format: formatNumber },
  { of: "embeddings", title: columns.embeddings, isMinor: true, format: formatNumber },
];

const MEASURED = MEASURES.map(
  ({ of, title, isMinor, format }): Column<Record<Measure, number>> => ({
    ...{ title, kind: isMinor ? "minor number" : "number" },
    cell: (usage) =>
      of === "errors" && usage.errors > 0 ? (
        <strong class="bad">{format(usage.errors)}</strong>
      ) : (
        format(usage[of])
      ),
  }),
);

const columnsOf = (names: KeyNames): readonly Column<Usage & { id: string }>[] => [
  { title: columns.day, cell: ({ day }) => <time dateTime={day}>{formatDay(day)}</time> },
  {
    title: columns.key,
    kind: "wide",
    cell: ({ key_id }) =>
      key_id === null ? <span class="note">{texts.noKey}</span> : <KeyName id={key_id} names={names} />,
  },
  ...MEASURED,
];

const OF_USERS: readonly Column<UsageGroup & { id: string }>[] = [
  {
    title: columns.user,
    kind: "wide",
    cell: ({ user_id }) =>
      user_id == null ? (
        <span class="note">{texts.noUser}</span>
      ) : (
        <a data-item href={linkTo(["users", user_id])}>
          <Text of={user_id} />
        </a>
      ),
  },
  ...MEASURED,
];

export const Screen = () => (filterValue("per") === "user" ? <OfUsers /> : <OfDays />);

/** The parameters of the API: all filters but the one that chooses between the screens. */
const asked = () => ({ ...filtered(FILTERS.filter(({ name }) => name !== "per")), limit: PAGE_ITEMS_MAX });

/** Sums of all days for each user that keys are bound to. */
function OfUsers() {
  const pages = usePages(
    (signal) => engram().usage.list({ ...asked(), group_by: ["user"] }, { signal }),
    [route.value.query.toString()],
  );
  const items = pages.items.map((usage) => ({ ...usage, id: `${usage.user_id}` }));
  return (
    <ListScreen
      texts={texts}
      note={texts.noteOfUsers}
      filters={FILTERS}
      pages={{ ...pages, items }}
      columns={OF_USERS}
    />
  );
}

function OfDays() {
  const names = useKeyNames();
  const pages = usePages(
    (signal) => engram().usage.list(asked(), { signal }),
    [route.value.query.toString()],
  );
  const items = pages.items.map((usage) => ({ ...usage, id: `${usage.day}/${usage.key_id}` }));
  return (
    <ListScreen
      texts={texts}
      filters={FILTERS}
      alert={items.length > 0 && <Totals of={items} />}
      pages={{ ...pages, items }}
      columns={columnsOf(names)}
    />
  );
}

/** Sums over the days that are shown. */
function Totals({ of: items }: { of: readonly Usage[] }) {
  const sums = MEASURES.map(({ of, title, format }) => {
    const sum = items.reduce((total, usage) => total + usage[of], 0);
    return [title, <strong key={of}>{format(sum)}</strong>] as const;
  });
  const days = [items.at(-1)?.day ?? "", items[0]?.day ?? ""].map(formatDay);
  return (
    <section class="card totals" aria-label={texts.totals}>
      <h2>{days[0] === days[1] ? days[0] : days.join(" – ")}</h2>
      <Facts of={sums} />
    </section>
  );
}
