import type { ConversationModel, MessageModel, Model } from "./model.ts";
import { mayShowMessage, mustShowMessage, possibleContents } from "./presence.ts";
import { type Span, Write } from "./write.ts";

/** Messages of its source that a fork may contain if it was created within the span. */
export const copyable = ({ origin }: ConversationModel, span: Span): MessageModel[] =>
  origin?.source.messages.filter(
    (message) =>
      (origin.toSequence === null || (message.sequence ?? 0) <= origin.toSequence) &&
      mayShowMessage(message, span),
  ) ?? [];

/**
 * Record, once a fork is known to exist, which messages it may and must contain: those of its source at some
 * moment between the request and now, up to the sequence.
 */
export function takeCopies(model: Model, fork: ConversationModel): void {
  const { creation, origin } = fork;
  if (origin === null || origin.isTaken) return;
  origin.isTaken = true;
  const span = { begin: creation.sent, end: creation.done };
  // Another client may have shared its source since the request for the fork was sent.
  const later = origin.source.shared.writes.filter(
    ({ write }) => write.sent > span.begin && write.sent <= span.end,
  );
  for (const { value } of later) fork.shared.add(value, creation);
  for (const message of copyable(fork, span)) {
    const copy = model.addMessage(fork, message.sent);
    const write = new Write(creation.sent);
    const isSure = message.sequence !== null && mustShowMessage(message, span);
    if (isSure) write.done = creation.done;
    copy.sequence = mayMove(message) ? null : message.sequence;
    copy.appends.push(write);
    for (const content of possibleContents(message, span)) copy.content.add(content, write);
    // Possible only if the fork is sent this message again when it does not contain it.
    const again = new Write(creation.sent);
    again.isRefused = true;
    copy.content.add(message.sent.content, again);
  }
}

/** Lower and upper bounds on the number of messages in a fork at its creation. */
export const countCopies = ({ creation, messages }: ConversationModel): { least: number; most: number } => ({
  least: messages.filter(({ appends }) => appends[0]?.done === creation.done).length,
  most: messages.length,
});

/** A deleted message with an external id can be sent again, and then gets another id and sequence. */
export const mayMove = ({ deletions, sent }: MessageModel): boolean =>
  sent.external_id !== undefined && deletions.length > 0;
