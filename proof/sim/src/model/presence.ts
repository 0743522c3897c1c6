import type { GrantModel } from "./grants.ts";
import type {
  ConversationModel,
  MemoryModel,
  MessageModel,
  OrganizationModel,
  RecallModel,
  WipeModel,
} from "./model.ts";
import type { Span, Write } from "./write.ts";

/** An item that is created once and deleted once. */
type Item = Pick<
  ConversationModel | MemoryModel | RecallModel,
  "creation" | "deletions" | "landing" | "organization" | "hazards"
>;

const isDone = (begin: number) => (write: Write) => write.done <= begin;
const isPossible = (end: number) => (write: Write) => !write.isRefused && write.sent <= end;

/** Whether clients may use it. An import that is still running can restore an item after its deletion. */
export const isLanded = ({ landing }: Item, step: number): boolean =>
  landing === null || landing.done <= step;

/** Whether no response may show the organization any more. */
export function isOrganizationGone({ deletions }: OrganizationModel, { begin, end }: Span): boolean {
  return deletions.some(
    ({ restoration, write }) =>
      write.done <= begin && (restoration === null || !isPossible(end)(restoration)),
  );
}

/** Whether a response may show the organization as deleted. */
export function mayOrganizationBeGone({ deletions }: OrganizationModel, { begin, end }: Span): boolean {
  return deletions.some(
    ({ restoration, write }) => isPossible(end)(write) && (restoration?.done ?? begin + 1) > begin,
  );
}

/**
 * Whether a response may show the item: its creation was requested, and no deletion of it was acknowledged. A
 * wipe covers items created before it.
 */
function mayExist<K extends Item>(item: K, wipes: WipeModel<K>[], span: Span): boolean {
  const { creation, deletions, organization, hazards } = item;
  return (
    isPossible(span.end)(creation) &&
    ![...deletions, ...hazards].some((write) => write.done <= span.begin && isLanded(item, write.sent)) &&
    !isOrganizationGone(organization, span) &&
    !wipes.some(
      ({ write, covers }) =>
        write.done <= span.begin && creation.done <= write.sent && isLanded(item, write.sent) && covers(item),
    )
  );
}

/**
 * Whether every response must show the item: its creation was acknowledged, and no deletion was requested. A
 * wipe does not cover later items.
 */
function mustExist<K extends Item>(item: K, wipes: WipeModel<K>[], span: Span): boolean {
  const { creation, deletions, organization, hazards } = item;
  return (
    isDone(span.begin)(creation) &&
    ![...deletions, ...hazards].some(isPossible(span.end)) &&
    !mayOrganizationBeGone(organization, span) &&
    !wipes.some(
      ({ write, covers, counted }) => isPossible(span.end)(write) && creation.sent <= counted && covers(item),
    )
  );
}

export const mayShow = (conversation: ConversationModel, span: Span): boolean =>
  mayExist(conversation, conversation.organization.conversationWipes, span);

export const mustShow = (conversation: ConversationModel, span: Span): boolean =>
  mustExist(conversation, conversation.organization.conversationWipes, span);

export const mayShowMemory = (memory: MemoryModel, span: Span): boolean =>
  mayExist(memory, memory.organization.memoryWipes, span);

export const mustShowMemory = (memory: MemoryModel, span: Span): boolean =>
  mustExist(memory, memory.organization.memoryWipes, span);

export const mayShowRecall = (recall: RecallModel, span: Span): boolean =>
  mayExist(recall, recall.organization.recallWipes, span);

export const mustShowRecall = (recall: RecallModel, span: Span): boolean =>
  mustExist(recall, recall.organization.recallWipes, span);

export const mayHold = (memory: MemoryModel, content: string, span: Span): boolean =>
  mayShowMemory(memory, span) && memory.content.possible(span).includes(content);

/** Whether the memory must exist with exactly this content. */
export const mustHold = (memory: MemoryModel, content: string, span: Span): boolean =>
  mustShowMemory(memory, span) && memory.content.possible(span).every((possible) => possible === content);

/** Whether the message may exist again after its deletion: with an external id it can be sent again. */
export const mayReappear = ({ appends, sent }: MessageModel, deletion: Write): boolean =>
  sent.external_id !== undefined &&
  appends.some((append) => !append.isRefused && append.done >= deletion.sent);

export function mayShowMessage(message: MessageModel, span: Span): boolean {
  const { appends, conversation, deletions } = message;
  if (!appends.some(isPossible(span.end)) || !mayShow(conversation, span)) return false;
  return !deletions.some((deletion) => deletion.done <= span.begin && !mayReappear(message, deletion));
}

export function mustShowMessage(message: MessageModel, span: Span): boolean {
  const { appends, conversation, deletions } = message;
  return (
    appends.some(isDone(span.begin)) && !deletions.some(isPossible(span.end)) && mustShow(conversation, span)
  );
}

export function possibleContents(message: MessageModel, span: Span): string[] {
  // With an external id, the message may have been stored again, so every content it ever had is possible.
  const isResent =
    message.sent.external_id !== undefined && message.deletions.length + message.appends.length > 1;
  return isResent ? message.content.writes.map(({ value }) => value) : message.content.possible(span);
}

/**
 * Whether a refresh may have ended the grant because the organization was deleted then. The cancellation of that deletion
 * does not restore such a grant: its program was told for good that it is over.
 */
export const mayHaveEndedWhileGone = (
  { failedRefreshes }: GrantModel,
  organization: OrganizationModel,
  end: number,
): boolean =>
  failedRefreshes.some((refresh) =>
    mayOrganizationBeGone(organization, { ...refresh, end: Math.min(refresh.end, end) }),
  );
