import type { ListedConversation, Memory, UsageGroup } from "@engram/sdk";
import { PAGE_ITEMS_MAX } from "@engram/sdk/limits";
import type { ComponentChild } from "preact";
import { countOrMany, formatDay, formatNumber } from "../format.ts";
import { unlessForbidden, useLoaded } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Bars } from "../parts/bars.tsx";
import { Screen as Frame, Time } from "../parts/basics.tsx";
import { FirstSteps } from "../parts/first-steps.tsx";
import { Health } from "../parts/health.tsx";
import { ConversationTitle, LastMessage } from "../parts/listed-conversation.tsx";
import { MemoryMarks } from "../parts/memory-marks.tsx";
import { WhenLoaded } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { linkTo } from "../route.ts";
import { engram } from "../session.ts";

const DAYS = 30;
const DAY_MS = 86_400_000;
/** Conversations and memories that are shown. */
const RECENT = 6;
/** Characters of a memory that are shown. */
const SHOWN = 160;

const texts = MESSAGES.overview;

export function Screen() {
  const stored = useLoaded(async (signal) => {
    const query = { limit: RECENT, include_total: true };
    const [conversations, memories, index] = await Promise.all([
      engram()
        .conversations.list({ ...query, sort: "last_message_at", include_last_message: true }, { signal })
        .page(),
      engram().memories.list(query, { signal }).page(),
      engram().index.status({}, { signal }),
    ]);
    return { conversations, memories, index };
  }, []);
  return (
    <Frame title={texts.title}>
      <WhenLoaded of={stored} rows={8}>
        {({ conversations, memories, index }) =>
          index.messages === 0 && conversations.total === 0 ? (
            <FirstSteps />
          ) : (
            <>
              <Figures
                of={[
                  [texts.conversations, conversations.total, "conversations"],
                  typeof memories.total === "number"
                    ? [texts.messages, index.messages - memories.total]
                    : [texts.stored, index.messages],
                  [texts.memories, memories.total, "memories"],
                ]}
              />
              <Health index={index} />
              <div class="recent">
                <Recent title={texts.recentConversations} place="conversations">
                  {conversations.items.map((each) => (
                    <ConversationItem key={each.id} of={each} />
                  ))}
                </Recent>
                <Recent title={texts.recentMemories} place="memories">
                  {memories.items.map((each) => (
                    <MemoryItem key={each.id} of={each} />
                  ))}
                </Recent>
              </div>
              <UsageOfDays />
            </>
          )
        }
      </WhenLoaded>
    </Frame>
  );
}

type Figure = [label: string, value: number | null | undefined, place?: string];

function Figures({ of: figures }: { of: readonly Figure[] }) {
  return (
    <ul class="figures">
      {figures.map(([label, value, place]) => {
        const content = (
          <>
            <span class="note">{label}</span>
            <strong>{countOrMany(value ?? null)}</strong>
          </>
        );
        return (
          <li key={label}>
            {place === undefined ? <div>{content}</div> : <a href={linkTo([place])}>{content}</a>}
          </li>
        );
      })}
    </ul>
  );
}

function Recent({ title, place, children }: { title: string; place: string; children: ComponentChild[] }) {
  return (
    <section>
      <header class="section-head">
        <h2>{title}</h2>
        <a href={linkTo([place])}>{texts.all}</a>
      </header>
      {children.length === 0 ? <p class="note">{texts.noneYet}</p> : <ul class="recent-items">{children}</ul>}
    </section>
  );
}

function ConversationItem({ of: conversation }: { of: ListedConversation }) {
  const { id, last_message_at, created_at } = conversation;
  return (
    <li>
      <a data-item href={linkTo(["conversations", id])}>
        <span class="recent-head">
          <strong>
            <ConversationTitle of={conversation} />
          </strong>
          <Time at={last_message_at ?? created_at} />
        </span>
        <span class="note two-lines">
          <LastMessage of={conversation} />
        </span>
      </a>
    </li>
  );
}

function MemoryItem({ of: memory }: { of: Memory }) {
  const { id, content, user_id, created_at } = memory;
  return (
    <li>
      <a data-item href={linkTo(["memories", id])}>
        <span class="recent-head">
          <span class="two-lines">
            <Text of={content.slice(0, SHOWN)} />
          </span>
          <Time at={created_at} />
        </span>
        <span class="note">
          {user_id !== null && <Text of={user_id} />} <MemoryMarks of={memory} />
        </span>
      </a>
    </li>
  );
}

const MEASURES = ["messages", "searches", "requests"] as const;

/** The use of the last month, and what failed since yesterday. */
function UsageOfDays() {
  const usage = useLoaded(async (signal) => {
    const list = (days: number, by: "day" | "operation") =>
      engram()
        .usage.list({ from: dayBefore(days), group_by: [by], limit: PAGE_ITEMS_MAX }, { signal })
        .toArray({ max: PAGE_ITEMS_MAX });
    const both = await unlessForbidden(Promise.all([list(DAYS - 1, "day"), list(1, "operation")]));
    if (both === null) return null;
    const [days, operations] = both;
    return { days, failed: operations.filter(({ errors }) => errors > 0) };
  }, []);
  return (
    <WhenLoaded of={usage} rows={3}>
      {(shown) => (
        <>
          {shown !== null && shown.failed.length > 0 && <Errors of={shown.failed} />}
          <section>
            <h2>{texts.usage}</h2>
            {shown === null ? (
              <p class="note">{texts.usageForbidden}</p>
            ) : (
              <div class="charts">
                {MEASURES.map((measure) => (
                  <Bars key={measure} title={texts.perDay[measure]} bars={barsOf(shown.days, measure)} />
                ))}
              </div>
            )}
          </section>
        </>
      )}
    </WhenLoaded>
  );
}

/** The operations of the API that answered with problems, the most failing one first. */
function Errors({ of: failed }: { of: readonly UsageGroup[] }) {
  const items = failed
    .toSorted((a, b) => b.errors - a.errors)
    .map((group) => ({ ...group, id: group.operation ?? "" }));
  return (
    <section>
      <header class="section-head">
        <h2>{texts.errors}</h2>
        <a href={linkTo(["usage"], { from: dayBefore(1) })}>{MESSAGES.navigation.places.usage}</a>
      </header>
      <Table
        label={texts.errors}
        items={items}
        columns={[
          {
            title: MESSAGES.columns.operation,
            kind: "wide",
            cell: ({ operation }) =>
              operation ? <code>{operation}</code> : <span class="note">{texts.noOperation}</span>,
          },
          {
            title: MESSAGES.columns.errors,
            kind: "number",
            cell: ({ errors }) => <strong class="bad">{formatNumber(errors)}</strong>,
          },
          {
            title: MESSAGES.columns.requests,
            kind: "number",
            cell: ({ requests }) => formatNumber(requests),
          },
        ]}
      />
    </section>
  );
}

const dayBefore = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

function barsOf(items: readonly UsageGroup[], measure: (typeof MEASURES)[number]) {
  const values = new Map(items.map((item) => [item.day, item[measure]]));
  return Array.from({ length: DAYS }, (_, i) => dayBefore(DAYS - 1 - i)).map((day) => ({
    label: formatDay(day),
    value: values.get(day) ?? 0,
  }));
}
