import type { MessageRole } from "@engram/spec";
import type { Owner } from "./batch.ts";
import {
  type Condition,
  type ConversationFilter,
  conversationConditions,
  given,
} from "./conversation-filters.ts";

/** What a search is narrowed to. */
export interface SearchFilter extends ConversationFilter {
  conversationId?: string | undefined;
  roles?: MessageRole[] | undefined;
  names?: string[] | undefined;
  saidAfterMs?: number | undefined;
  saidBeforeMs?: number | undefined;
  /** Words that stand one after the other in each match, all of these phrases. */
  phrases?: string[][] | undefined;
  /** Words that stand one after the other in no match, none of these phrases. */
  excluded?: string[][] | undefined;
}

/** Who searches what. */
export interface SearchScope {
  owner: Owner;
  /** What stands before the words of each corpus in the keyword index. */
  marks: string[];
  filter: SearchFilter;
}

/** The numbers of messages that an expression over the keyword index matches. */
export const matching = (expression: string) =>
  `(SELECT rowid FROM message_words WHERE message_words MATCH ${expression})`;

/** What narrows the organization's conversations to those of the scope, over `c`. */
export const conversationsOfScope = ({ owner, filter }: SearchScope): Condition[] => [
  ...conversationConditions(owner, filter),
  ...given("c.id = $", filter.conversationId),
];

/** What narrows their messages, over `m` of `c`. */
export const messagesOfScope = ({ marks, filter }: SearchScope): Condition[] => [
  // What holds a memory has a role that means nothing.
  ...given("m.role IN (SELECT value FROM json_each($)) AND c.kind = 'conversation'", filter.roles),
  ...given("m.created_at_ms >= $", filter.saidAfterMs),
  ...given("m.created_at_ms < $", filter.saidBeforeMs),
  ...given("m.name IN (SELECT value FROM json_each($))", filter.names),
  ...given(`m.number IN ${matching("$")}`, toExpression(marks, filter.phrases, "AND")),
  ...given(`m.number NOT IN ${matching("$")}`, toExpression(marks, filter.excluded, "OR")),
];

/** Phrases as FTS5 asks for them; words are letters and digits alone, so nothing in them needs escaping. */
export function toExpression(
  marks: string[],
  phrases: string[][] | undefined,
  operator: "AND" | "OR",
): string | null {
  if (phrases === undefined || phrases.length === 0) return null;
  const inAny = (words: string[]) =>
    marks.map((mark) => `"${words.map((word) => mark + word).join(" ")}"`).join(" OR ");
  return phrases.map((words) => `(${inAny(words)})`).join(` ${operator} `);
}

/** Whether the filter leaves out anything of the owner's. */
export const isNarrowed = (scope: SearchScope): boolean => {
  const everybody = { ...scope, owner: { ...scope.owner, agentId: null } };
  return conversationsOfScope(everybody).length + messagesOfScope(scope).length > 0;
};
