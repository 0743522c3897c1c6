import type { ConversationModel, MessageModel, OrganizationModel } from "./model.ts";
import type { Span, Write } from "./write.ts";

const isDone = (begin: number) => (write: Write) => write.done <= begin;
const isPossible = (end: number) => (write: Write) => !write.isRefused && write.sent <= end;

/** Whether no answer may show it any more. */
export function isOrganizationGone({ deletions }: OrganizationModel, { begin }: Span): boolean {
  return deletions.some(isDone(begin));
}

/** Whether an answer may show the conversation: it was asked for, and no deletion of it was acknowledged. */
export function mayShowConversation(conversation: ConversationModel, span: Span): boolean {
  return (
    isPossible(span.end)(conversation.creation) &&
    !conversation.deletions.some(isDone(span.begin)) &&
    !isOrganizationGone(conversation.organization, span)
  );
}

/** Whether every answer must show it: it was acknowledged, and nobody has asked to delete it. */
export function mustShowConversation(conversation: ConversationModel, span: Span): boolean {
  const { creation, deletions, organization } = conversation;
  return (
    isDone(span.begin)(creation) && ![...deletions, ...organization.deletions].some(isPossible(span.end))
  );
}

/** Whether an answer may show the message. */
export function mayShowMessage(message: MessageModel, span: Span): boolean {
  const { appends, conversation, deletions } = message;
  if (!appends.some(isPossible(span.end)) || !mayShowConversation(conversation, span)) return false;
  return !deletions.some(
    (deletion) =>
      deletion.done <= span.begin &&
      // Under an external id it can be sent again, and be there again.
      (message.sent.external_id === undefined ||
        appends.every((append) => append.isRefused || append.done < deletion.sent)),
  );
}

/** Whether every answer must show the message. */
export function mustShowMessage(message: MessageModel, span: Span): boolean {
  const { appends, conversation, deletions } = message;
  return (
    appends.some(isDone(span.begin)) &&
    !deletions.some(isPossible(span.end)) &&
    mustShowConversation(conversation, span)
  );
}

/** The contents that an answer may show for it. */
export function possibleContents(message: MessageModel, span: Span): string[] {
  // Sent again under its external id it may be there for the first time, or once more.
  const isSentAgain =
    message.sent.external_id !== undefined && message.deletions.length + message.appends.length > 1;
  return isSentAgain ? message.content.writes.map(({ value }) => value) : message.content.possible(span);
}
