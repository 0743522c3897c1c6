import type { Conversation, ListConversationsQuery } from "@engram/sdk";
import { type Following, type FollowingState, useFollowing } from "../following.ts";
import { formatNumber } from "../format.ts";
import { type Pages, usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Badge, Screen as Frame, Tags, Time } from "../parts/basics.tsx";
import { jsonOrText } from "../parts/fields.ts";
import { type Filter, Filters, filterValue, toDay, toValues } from "../parts/filters.tsx";
import { Empty, NotLive } from "../parts/states.tsx";
import { type Column, PagedTable } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { linkTo, route } from "../route.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.conversations;
const { filterLabels, columns } = MESSAGES;

const FILTERS: readonly Filter[] = [
  { name: "user_id", label: filterLabels.user },
  { name: "agent_id", label: filterLabels.agent },
  { name: "tags_any", label: filterLabels.tagsAny, placeholder: filterLabels.commas },
  { name: "tags_all", label: filterLabels.tagsAll, placeholder: filterLabels.commas },
  { name: "created_after", label: filterLabels.after, type: "date" },
  { name: "created_before", label: filterLabels.before, type: "date" },
  { name: "external_id", label: filterLabels.externalId },
  { name: "metadata", label: filterLabels.metadata, placeholder: '{"plan":"pro"}' },
  {
    name: "sort",
    label: filterLabels.sort,
    placeholder: filterLabels.asIs,
    choices: ["created_at", "updated_at", "message_count"],
  },
  { name: "order", label: filterLabels.order, placeholder: filterLabels.newestFirst, choices: ["asc"] },
];

const COLUMNS: readonly Column<Conversation>[] = [
  {
    title: columns.title,
    kind: "wide",
    cell: ({ id, title, tags }) => (
      <>
        <a data-item href={linkTo(["conversations", id])}>
          {title ? <Text of={title} /> : <span class="note">{texts.untitled}</span>}
        </a>
        <Tags tags={tags} />
      </>
    ),
  },
  { title: columns.user, kind: "minor", cell: ({ user_id }) => user_id && <Text of={user_id} /> },
  { title: columns.agent, kind: "minor", cell: ({ agent_id }) => agent_id && <Text of={agent_id} /> },
  { title: columns.messages, kind: "number", cell: ({ message_count }) => formatNumber(message_count) },
  { title: columns.updated, kind: "minor", cell: ({ updated_at }) => <Time at={updated_at} /> },
];

export function Screen() {
  const { query } = route.value;
  const pages = usePages(
    (signal) => engram().conversations.list({ ...toQuery(), limit: 50, include_total: true }, { signal }),
    [query.toString()],
  );
  const live = useLive(pages);
  return (
    <Frame
      title={
        <>
          {texts.title} {live.isLive && <Badge tone="good">{MESSAGES.events.live}</Badge>}
        </>
      }
    >
      <Filters filters={FILTERS} />
      <NotLive of={live} />
      <PagedTable
        pages={pages}
        columns={COLUMNS}
        label={texts.title}
        empty={
          query.size > 0 ? (
            <Empty title={texts.noMatch}>
              <a href={linkTo(["conversations"])}>{MESSAGES.clearFilters}</a>
            </Empty>
          ) : (
            <Empty title={texts.none}>
              <p>{texts.noneText}</p>
              <a href={linkTo([])}>{MESSAGES.navigation.places[""]}</a>
            </Empty>
          )
        }
      />
    </Frame>
  );
}

/** Time over which changes are gathered before the first page is loaded again. */
const GATHER_MS = 300;

/**
 * Keeps the list current: new and changed conversations come to its top, and deleted ones leave it. In another order
 * than the default one, their place is not known, so the list stays as it is.
 */
function useLive({ change, isLoading }: Pages<Conversation>): Following {
  const { query } = route.value;
  const isOff = isLoading || query.has("sort") || query.has("order");
  const follow = async ({ signal, begun, failed }: FollowingState) => {
    const load = async () => {
      const { items, total } = await engram()
        .conversations.list({ ...toQuery(), limit: 50, include_total: true }, { signal })
        .page();
      const fresh = new Set(items.map(({ id }) => id));
      if (!signal.aborted)
        change((before) => [...items, ...before.filter(({ id }) => !fresh.has(id))], total);
    };
    const { after } = await engram().events.list({ after: "now", limit: 1 }, { signal });
    // What changed between the first page and this position has no later event.
    await load();
    begun();
    let timer: ReturnType<typeof setTimeout> | undefined;
    signal.addEventListener("abort", () => clearTimeout(timer));
    for await (const { type, conversation_id } of engram().events.listen({
      ...{ after, type: [...FOLLOWED], signal },
    })) {
      if (type === "conversation.deleted")
        change((before) => before.filter(({ id }) => id !== conversation_id));
      timer ??= setTimeout(() => {
        timer = undefined;
        load().catch(failed);
      }, GATHER_MS);
    }
  };
  return useFollowing(isOff ? null : follow, [query.toString(), isOff]);
}

const FOLLOWED = [
  "conversation.created",
  "conversation.updated",
  "conversation.deleted",
  "messages.appended",
] as const;

function toQuery(): ListConversationsQuery {
  const metadata = filterValue("metadata");
  const query = {
    user_id: filterValue("user_id"),
    agent_id: filterValue("agent_id"),
    external_id: filterValue("external_id"),
    tags_any: toValues(filterValue("tags_any")),
    tags_all: toValues(filterValue("tags_all")),
    created_after: toDay(filterValue("created_after")),
    created_before: toDay(filterValue("created_before")),
    sort: filterValue<"created_at">("sort"),
    order: filterValue<"asc">("order"),
    metadata: metadata === undefined ? undefined : jsonOrText(metadata),
  };
  return query as ListConversationsQuery;
}
