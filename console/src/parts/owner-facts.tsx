import { MESSAGES } from "../messages.ts";
import { linkTo } from "../route.ts";
import { Text } from "./text.tsx";

/** The user and the agent of an item, for `Facts`, each with a link to the list of all their items. */
export const ownerFacts = (
  list: string,
  { user_id, agent_id }: Record<"user_id" | "agent_id", string | null>,
) =>
  Object.entries({ user_id, agent_id }).map(
    ([name, id]) =>
      [
        name === "user_id" ? MESSAGES.columns.user : MESSAGES.columns.agent,
        id && (
          <a key={name} href={linkTo([list], { [name]: id })}>
            <Text of={id} />
          </a>
        ),
      ] as const,
  );
