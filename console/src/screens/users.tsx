import type { User } from "@engram/sdk";
import { formatNumber } from "../format.ts";
import { usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Time } from "../parts/basics.tsx";
import { DeleteButton } from "../parts/delete-button.tsx";
import { ListScreen } from "../parts/list-screen.tsx";
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
            <a data-item href={linkTo(["conversations"], { user_id: id })}>
              <Text of={id} />
            </a>
          ),
        },
        {
          title: columns.conversations,
          kind: "minor number",
          cell: ({ conversation_count }) => count(conversation_count),
        },
        {
          title: columns.memories,
          kind: "minor number",
          cell: ({ id, memory_count }) => (
            <a href={linkTo(["memories"], { user_id: id })}>{count(memory_count)}</a>
          ),
        },
        {
          title: columns.lastSeen,
          kind: "minor",
          cell: ({ last_seen_at }) => last_seen_at && <Time at={last_seen_at} />,
        },
        {
          title: "",
          cell: ({ id }) => (
            <DeleteButton
              label={texts.delete}
              question={
                <>
                  {texts.deleteQuestion} <Text of={id} />
                </>
              }
              remove={() => engram().users.delete(id)}
              done={pages.reload}
            />
          ),
        },
      ]}
    />
  );
}

const count = (value: number | null): string =>
  value === null ? MESSAGES.overview.notCounted : formatNumber(value);
