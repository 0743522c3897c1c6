import type { ListConversationsQuery, ListedConversation } from "@engram/sdk";
import { useEffect, useRef } from "preact/hooks";
import { type Following, type FollowingState, useFollowing } from "../following.ts";
import { formatNumber } from "../format.ts";
import { type Pages, usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Badge, Tags } from "../parts/basics.tsx";
import { AGENT, SAID_AGO, USER } from "../parts/columns.tsx";
import { ConversationBulk } from "../parts/conversation-bulk.tsx";
import { jsonOrText } from "../parts/fields.ts";
import { commonFilters, type Filter, filtered } from "../parts/filters.tsx";
import { ListScreen } from "../parts/list-screen.tsx";
import { ConversationTitle, LastMessage, titleOf } from "../parts/listed-conversation.tsx";
import { SavedViews } from "../parts/saved-views.tsx";
import { selectColumn, selectFocused } from "../parts/select-column.tsx";
import { Empty, NotLive } from "../parts/states.tsx";
import type { Column } from "../parts/table.tsx";
import { linkTo, route } from "../route.ts";
import { useSelection } from "../selection.ts";
import { engram } from "../session.ts";
import { onKeys } from "../shortcuts.ts";

const texts = MESSAGES.conversations;
const { columns } = MESSAGES;

const FILTERS: readonly Filter[] = [
  ...commonFilters("user_id", "agent_id", "tags_any"),
  ...commonFilters("tags_all", "created_after", "created_before", "external_id"),
  {
    ...{ name: "metadata", label: MESSAGES.filterLabels.metadata },
    ...{ placeholder: '{"plan":"pro"}', read: jsonOrText },
  },
  {
    ...{ name: "sort", label: MESSAGES.filterLabels.sort, isField: true },
    ...{ placeholder: texts.lastMessage, choices: ["updated_at", "created_at"] },
  },
  ...commonFilters("order"),
];

const COLUMNS: readonly Column<ListedConversation>[] = [
  {
    title: columns.conversation,
    kind: "wide",
    cell: (conversation) => (
      <>
        <a data-item href={linkTo(["conversations", conversation.id])}>
          <ConversationTitle of={conversation} />
        </a>
        <Tags tags={conversation.tags} />
        <p class="excerpt note">
          <LastMessage of={conversation} />
        </p>
      </>
    ),
  },
  USER,
  AGENT,
  {
    title: columns.messages,
    kind: "minor number",
    cell: ({ message_count }) => formatNumber(message_count),
  },
  SAID_AGO,
];

const list = (signal: AbortSignal) => {
  const query = { sort: "last_message_at", ...filtered(FILTERS), ...SHOWN } as ListConversationsQuery;
  return engram().conversations.list(query, { signal });
};
const SHOWN = { limit: 50, include_total: true, include_last_message: true };

export function Screen() {
  const { query } = route.value;
  const pages = usePages(list, [query.toString()]);
  const live = useLive(pages);
  const selection = useSelection(pages.items, [query.toString()]);
  useEffect(() => onKeys({ x: selectFocused }), []);
  return (
    <ListScreen
      texts={texts}
      title={
        <>
          {texts.title} {live.isLive && <Badge tone="good">{MESSAGES.events.live}</Badge>}
        </>
      }
      filters={FILTERS}
      top={<SavedViews />}
      alert={<NotLive of={live} />}
      pages={pages}
      columns={[selectColumn(selection, pages.items, titleOf), ...COLUMNS]}
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
    >
      <ConversationBulk
        items={pages.items.filter(({ id }) => selection.ids.has(id))}
        change={pages.change}
        clear={() => selection.set(false)}
        deleted={() => live.isLive || pages.reload()}
      />
    </ListScreen>
  );
}

/** Time over which changes are gathered before the first page is loaded again. */
const GATHER_MS = 300;

/**
 * Keeps the list current: conversations with new messages come to its top, changed ones change in their place, and
 * deleted ones leave it. In another order than the default one, their place is not known, so the list stays as it is.
 */
function useLive({ change, isLoading, items: shown }: Pages<ListedConversation>): Following {
  const { query } = route.value;
  const isOff = isLoading || query.has("sort") || query.has("order");
  const shownNow = useRef(shown);
  shownNow.current = shown;
  const follow = async ({ signal, begun, failed }: FollowingState) => {
    const changed = new Set<string>();
    const load = async () => {
      const { items, total } = await list(signal).page();
      const fresh = new Set(items.map(({ id }) => id));
      if (!signal.aborted)
        change((before) => [...items, ...before.filter(({ id }) => !fresh.has(id))], total);
      // Those that changed further down, such as their title.
      const others = shownNow.current.filter(({ id }) => changed.has(id) && !fresh.has(id));
      changed.clear();
      for (const { id } of others) {
        const { messages: _, ...fields } = await engram().conversations.get(
          id,
          { message_limit: 0 },
          { signal },
        );
        change((before) => before.map((item) => (item.id === id ? { ...item, ...fields } : item)));
      }
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
      else if (conversation_id !== null) changed.add(conversation_id);
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
