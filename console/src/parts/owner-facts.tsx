import { MESSAGES } from "../messages.ts";
import { linkTo, type Query } from "../route.ts";
import { Text } from "./text.tsx";

/** The user of an item, with a link to the user's page, and its agent, with a link to the list of all its items. */
export const ownerFacts = (
  list: string,
  { user_id, agent_id, shared }: Record<"user_id" | "agent_id", string | null> & { shared?: boolean },
) =>
  Object.entries({ user_id, agent_id }).map(
    ([name, id]) =>
      [
        name === "user_id" ? MESSAGES.columns.user : MESSAGES.columns.agent,
        name === "user_id" && shared
          ? MESSAGES.shared
          : id && (
              <a
                key={name}
                href={name === "user_id" ? linkTo(["users", id]) : linkTo([list], { agent_id: id })}
              >
                <Text of={id} />
              </a>
            ),
      ] as const,
  );

/** The way to what belongs to an item, under its name. */
export const linkFact = (name: string, path: readonly string[], query: Query = {}) =>
  [
    name,
    <a key={name} aria-label={`${MESSAGES.show}: ${name}`} href={linkTo(path, query)}>
      {MESSAGES.show}
    </a>,
  ] as const;
