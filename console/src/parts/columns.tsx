import type { Memory, Operation } from "@engram/sdk";
import { firstWords } from "../format.ts";
import { MESSAGES } from "../messages.ts";
import { linkTo } from "../route.ts";
import { Tags, Time } from "./basics.tsx";
import { Status } from "./receipt.tsx";
import { RelativeTime } from "./relative-time.tsx";
import type { Column } from "./table.tsx";
import { Text } from "./text.tsx";

const { columns } = MESSAGES;

export const USER: Column<{ user_id: string | null }> = {
  title: columns.user,
  kind: "minor",
  cell: ({ user_id }) =>
    user_id && (
      <a href={linkTo(["users", user_id])}>
        <Text of={user_id} />
      </a>
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

/** One line of memories: the first words, then the tags. */
export const MEMORY: Column<Pick<Memory, "id" | "content" | "tags">> = {
  title: columns.memory,
  kind: "wide",
  cell: ({ id, content, tags }) => (
    <div class="one-line">
      <a data-item href={linkTo(["memories", id])}>
        <Text of={firstWords(content) || MESSAGES.memories.without} />
      </a>
      <Tags tags={tags} />
    </div>
  ),
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
