import type { Entity, ListedConversation, Memory, Operation } from "@engram/sdk";
import { countOrMany, firstWords, formatWord } from "../format.ts";
import { MESSAGES } from "../messages.ts";
import { linkTo } from "../route.ts";
import { Badge, Tags, Time } from "./basics.tsx";
import { MemoryMarks } from "./memory-marks.tsx";
import { Status } from "./receipt.tsx";
import { RelativeTime } from "./relative-time.tsx";
import type { Column } from "./table.tsx";
import { Text } from "./text.tsx";

const { columns } = MESSAGES;

export const USER: Column<{ user_id: string | null; shared?: boolean }> = {
  title: columns.user,
  kind: "minor",
  cell: ({ user_id, shared }) =>
    shared ? (
      <Badge tone="plain">{MESSAGES.shared}</Badge>
    ) : (
      user_id && (
        <a href={linkTo(["users", user_id])}>
          <Text of={user_id} />
        </a>
      )
    ),
};

export const AGENT: Column<{ agent_id: string | null }> = {
  title: columns.agent,
  kind: "minor",
  cell: ({ agent_id }) => agent_id && <Text of={agent_id} />,
};

export const UPDATED: Column<{ updated_at: string }> = {
  title: columns.updated,
  kind: "minor",
  cell: ({ updated_at }) => <Time at={updated_at} />,
};

/** One line of memories: the first words, then whether it holds and can be checked, and the tags. */
export const MEMORY: Column<Memory> = {
  title: columns.memory,
  kind: "wide",
  cell: (memory) => (
    <div class="one-line">
      <a data-item href={linkTo(["memories", memory.id])}>
        <Text of={firstWords(memory.content) || MESSAGES.memories.without} />
      </a>
      <MemoryMarks of={memory} />
      <Tags tags={memory.tags} />
    </div>
  ),
};

/** When the last message was said, or the conversation created if it has none: the order of such a list. */
export const SAID_AGO: Column<Pick<ListedConversation, "last_message_at" | "created_at">> = {
  title: MESSAGES.conversations.lastMessage,
  cell: ({ last_message_at, created_at }) => <RelativeTime at={last_message_at ?? created_at} />,
};

export const ENTITY_KIND: Column<Pick<Entity, "kind">> = {
  title: columns.kind,
  cell: ({ kind }) => formatWord(kind),
};

export const MENTIONS: Column<Pick<Entity, "mention_count">> = {
  title: columns.mentions,
  kind: "number",
  cell: ({ mention_count }) => countOrMany(mention_count),
};

export const UPDATED_AGO: Column<{ updated_at: string }> = {
  title: columns.updated,
  cell: ({ updated_at }) => <RelativeTime at={updated_at} />,
};

export const CREATED: Column<{ created_at: string }> = {
  title: columns.created,
  cell: ({ created_at }) => <Time at={created_at} />,
};

/** The status of an operation, and its work with a link to it. */
export const WORK: readonly Column<Operation>[] = [
  { title: columns.status, cell: ({ status }) => <Status of={status} /> },
  {
    title: columns.work,
    kind: "wide",
    cell: ({ id, type }) => (
      <a data-item href={linkTo(["operations", id])}>
        {MESSAGES.operationTypes[type]}
      </a>
    ),
  },
];
