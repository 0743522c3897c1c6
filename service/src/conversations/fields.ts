import type { Conversation } from "@engram/spec";
import {
  assignedColumns,
  binder,
  boundColumns,
  columnsOf,
  type Field,
  flag,
  type Given,
  json,
  marked,
  type RowOf,
  short,
  sizeOf,
  text,
  time,
  timeOrNull,
  wireReader,
} from "../platform/fields.ts";
import { columns, type Sql, sql } from "../platform/sql.ts";

/** Given by the caller, and the same in a fork. */
const copied = <One>(field: One) => ({ ...field, isGiven: true as const, isCopied: true as const });
/** Given by the caller. A fork has its own. */
const given = <One>(field: One) => ({ ...field, isGiven: true as const, isCopied: false as const });
/** Set by each statement that stores a conversation. */
const placed = <One>(field: One) => ({ ...field, isGiven: false as const, isCopied: false as const });

/** The fields of a conversation, in the order of the contract. */
const CONVERSATION_FIELDS = {
  id: placed(text<string>()),
  external_id: given(text<string | null>()),
  title: given(text<string | null>()),
  agent_id: copied(text<string | null>()),
  user_id: copied(text<string | null>()),
  shared: copied(flag),
  tags: copied(json<string[]>("[]")),
  metadata: copied(json<Conversation["metadata"]>("{}")),
  message_count: placed(short<number>()),
  last_sequence: placed(short<number>()),
  last_message_at: placed(timeOrNull),
  created_at: placed(time),
  updated_at: placed(time),
  expires_at: given(timeOrNull),
} satisfies { [Name in keyof Omit<Conversation, "edited_since">]: Field<Conversation[Name], never, unknown> };

const GIVEN = marked(CONVERSATION_FIELDS, { isGiven: true });
export type GivenConversation = Given<typeof GIVEN>;

export interface ConversationRow extends RowOf<typeof CONVERSATION_FIELDS> {
  version: number;
  /** Only as of a moment. */
  edited_since?: 0 | 1;
}
export const CONVERSATION_COLUMNS = [
  ...columnsOf(CONVERSATION_FIELDS),
  "version",
] as (keyof ConversationRow)[];
const toFields = wireReader(CONVERSATION_FIELDS);
/** Without messages, the column of the last message has only the time by which the conversation is sorted. */
export const toConversation = (row: ConversationRow): Conversation => ({
  ...toFields(row.message_count > 0 ? row : { ...row, last_message_at_ms: null }),
  ...(row.edited_since === 1 && { edited_since: true }),
});

/** Size of all that the caller gives. */
export const GIVEN_BYTES = sizeOf(GIVEN, "c");

export const GIVEN_COLUMNS = columns(columnsOf(GIVEN));
export const givenValues = (conversation: GivenConversation): Sql =>
  boundColumns(GIVEN, sql`${JSON.stringify(toGiven(conversation))}`);
const toGiven = binder(GIVEN);
/** The new values of the fields that are not undefined, as assignments. */
export const changedFields = (changes: GivenConversation): Sql[] => assignedColumns(GIVEN, changes);

export const COPIED_COLUMNS = columns(columnsOf(marked(CONVERSATION_FIELDS, { isCopied: true })));

/** All but what follows from the messages. */
const { message_count: _, last_message_at: __, ...IMPORTED } = CONVERSATION_FIELDS;
export const IMPORTED_COLUMNS = columns(columnsOf(IMPORTED));
export const IMPORTED_VALUES = boundColumns(IMPORTED);
export const toImported = binder(IMPORTED);
