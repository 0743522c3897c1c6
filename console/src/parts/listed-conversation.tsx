// What a list shows of a conversation.
import type { ListedConversation } from "@engram/sdk";
import { MESSAGES } from "../messages.ts";
import { Text } from "./text.tsx";

const texts = MESSAGES.conversations;

/** Words of the last message that stand for a title. */
const TITLE_WORDS = 8;

type Titled = Pick<ListedConversation, "title" | "last_message">;

/** The title, else the first words of the last message. */
export function ConversationTitle({ of: { title, last_message } }: { of: Titled }) {
  if (title) return <Text of={title} />;
  const words = last_message?.excerpt.split(/[ \n]+/).filter(Boolean) ?? [];
  if (words.length === 0) return <span class="note">{texts.untitled}</span>;
  const start = words.slice(0, TITLE_WORDS).join(" ");
  return (
    <span class="untitled">
      <Text of={words.length > TITLE_WORDS ? `${start}…` : start} />
    </span>
  );
}

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
