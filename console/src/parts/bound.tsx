import { MESSAGES } from "../messages.ts";
import { Text } from "./text.tsx";

const { columns } = MESSAGES;

/** The agent and the user that a key or a grant is bound to. */
export function Bound({
  to: { agent_id, user_id },
}: {
  to: { agent_id: string | null; user_id: string | null };
}) {
  return (
    <>
      {agent_id !== null && (
        <>
          <span class="note">{columns.agent}</span> <Text of={agent_id} />
        </>
      )}{" "}
      {user_id !== null && (
        <>
          <span class="note">{columns.user}</span> <Text of={user_id} />
        </>
      )}
    </>
  );
}
