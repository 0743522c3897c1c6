import type { Conversation, ListConversationsQuery } from "@engram/sdk";
import { type Following, type FollowingState, useFollowing } from "../following.ts";
import { formatNumber } from "../format.ts";
import { type Pages, usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Badge, Tags } from "../parts/basics.tsx";
import { AGENT, UPDATED, USER } from "../parts/columns.tsx";
import { jsonOrText } from "../parts/fields.ts";
import { commonFilters, type Filter, filtered, orderFilters } from "../parts/filters.tsx";
import { ListScreen } from "../parts/list-screen.tsx";
import { Empty, NotLive } from "../parts/states.tsx";
import type { Column } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { linkTo, route } from "../route.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.conversations;
const { columns } = MESSAGES;

const FILTERS: readonly Filter[] = [
  ...commonFilters("user_id", "agent_id", "tags_any", "tags_all", "created_after", "created_before"),
  ...commonFilters("external_id"),
  {
    ...{ name: "metadata", label: MESSAGES.filterLabels.metadata },
    ...{ placeholder: '{"plan":"pro"}', read: jsonOrText },
  },
  ...orderFilters("updated_at", "last_message_at", "created_at"),
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
  USER,
  AGENT,
  { title: columns.messages, kind: "number", cell: ({ message_count }) => formatNumber(message_count) },
  UPDATED,
];

const list = (signal: AbortSignal) => {
  const query = { ...filtered(FILTERS), limit: 50, include_total: true } as ListConversationsQuery;
  return engram().conversations.list(query, { signal });
};

export function Screen() {
  const { query } = route.value;
  const pages = usePages(list, [query.toString()]);
  const live = useLive(pages);
  return (
    <ListScreen
      texts={texts}
      title={
        <>
          {texts.title} {live.isLive && <Badge tone="good">{MESSAGES.events.live}</Badge>}
        </>
      }
      filters={FILTERS}
      alert={<NotLive of={live} />}
      pages={pages}
      columns={COLUMNS}
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
      const { items, total } = await list(signal).page();
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
