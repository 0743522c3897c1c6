// What a list shows of a conversation.
import type { ListedConversation } from "@engram/sdk";
import { MESSAGES } from "../messages.ts";
import { Text } from "./text.tsx";

const texts = MESSAGES.conversations;

/** Words of the last message that stand for a title. */
const TITLE_WORDS = 8;

type Titled = Pick<ListedConversation, "title" | "last_message">;

/** The title of a conversation, else the first words of its last message, else that it has none. */
export function titleOf({ title, last_message }: Titled): string {
  if (title) return title;
  const words = last_message?.excerpt.split(/[ \n]+/).filter(Boolean) ?? [];
  const start = words.slice(0, TITLE_WORDS).join(" ");
  return (words.length > TITLE_WORDS ? `${start}…` : start) || texts.untitled;
}

/** The tags that any of the conversations has. */
export const tagsOf = (conversations: readonly Pick<ListedConversation, "tags">[]): string[] =>
  [...new Set(conversations.flatMap(({ tags }) => tags))].sort();

export const ConversationTitle = ({ of: conversation }: { of: Titled }) => (
  <span class={conversation.title ? undefined : "untitled"}>
    <Text of={titleOf(conversation)} />
  </span>
);

/** Who said the last message, and its start. */
export function LastMessage({ of: { last_message } }: { of: Pick<ListedConversation, "last_message"> }) {
  if (!last_message) return texts.noMessages;
  const { role, name, excerpt } = last_message;
  return (
    <>
      <strong>{name === null ? MESSAGES.roles[role] : <Text of={name} />}</strong> <Text of={excerpt} />
    </>
  );
}
