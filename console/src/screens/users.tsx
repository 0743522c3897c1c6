import type { User } from "@engram/sdk";
import { countOrMany } from "../format.ts";
import { usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { ListScreen } from "../parts/list-screen.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { Text } from "../parts/text.tsx";
import { linkTo } from "../route.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.users;
const { columns } = MESSAGES;

export function Screen() {
  const pages = usePages((signal) => engram().users.list({ limit: 50 }, { signal }), []);
  return (
    <ListScreen<User>
      texts={texts}
      pages={pages}
      columns={[
        {
          title: columns.user,
          kind: "wide",
          cell: ({ id }) => (
            <a data-item href={linkTo(["users", id])}>
              <Text of={id} />
            </a>
          ),
        },
        {
          title: columns.conversations,
          kind: "minor number",
          cell: ({ id, conversation_count }) => (
            <a href={linkTo(["conversations"], { user_id: id })}>{countOrMany(conversation_count)}</a>
          ),
        },
        {
          title: columns.memories,
          kind: "minor number",
          cell: ({ id, memory_count }) => (
            <a href={linkTo(["memories"], { user_id: id })}>{countOrMany(memory_count)}</a>
          ),
        },
        {
          title: columns.lastSeen,
          cell: ({ last_seen_at }) => last_seen_at && <RelativeTime at={last_seen_at} />,
        },
      ]}
    />
  );
}
