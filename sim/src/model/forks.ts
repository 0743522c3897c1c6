import type { ConversationModel, MessageModel, Model } from "./model.ts";
import { mayShowMessage, mustShowMessage, possibleContents } from "./presence.ts";
import { Write } from "./write.ts";

/**
 * Note, once a fork is known to be there, what it may hold and what it must: whatever its original had at some
 * moment between the request and now, up to the sequence number.
 */
export function takeCopies(model: Model, fork: ConversationModel): void {
  const { creation, origin } = fork;
  if (origin === null || origin.isTaken) return;
  origin.isTaken = true;
  const span = { begin: creation.sent, end: creation.done };
  for (const message of origin.source.messages) {
    const isBeyond = origin.toSequence !== null && (message.sequence ?? 0) > origin.toSequence;
    if (isBeyond || !mayShowMessage(message, span)) continue;
    const copy = model.addMessage(fork, message.sent);
    const write = new Write(creation.sent);
    const isSure = message.sequence !== null && mustShowMessage(message, span);
    if (isSure) write.done = creation.done;
    copy.sequence = mayMove(message) ? null : message.sequence;
    copy.appends.push(write);
    for (const content of possibleContents(message, span)) copy.content.add(content, write);
    // Only if the fork is sent it again, and does not have it by then.
    const again = new Write(creation.sent);
    again.isRefused = true;
    copy.content.add(message.sent.content, again);
  }
}

/** How many messages a fork must have had when it was made, and how many it may have had. */
export const countCopies = ({ creation, messages }: ConversationModel): { least: number; most: number } => ({
  least: messages.filter(({ appends }) => appends[0]?.done === creation.done).length,
  most: messages.length,
});

/** Under an external id a message that was deleted can be sent again, and takes another place. */
const mayMove = ({ deletions, sent }: MessageModel): boolean =>
  sent.external_id !== undefined && deletions.length > 0;
