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

/** Who searches what: the number is what the organization's words carry. */
export interface SearchScope {
  owner: Owner;
  organizationNumber: number;
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

/** What narrows their messages, over `m`. */
export const messagesOfScope = ({ organizationNumber, filter }: SearchScope): Condition[] => [
  ...given("m.role IN (SELECT value FROM json_each($))", filter.roles),
  ...given("m.created_at_ms >= $", filter.saidAfterMs),
  ...given("m.created_at_ms < $", filter.saidBeforeMs),
  ...given("m.name IN (SELECT value FROM json_each($))", filter.names),
  ...given(`m.number IN ${matching("$")}`, toExpression(organizationNumber, filter.phrases, "AND")),
  ...given(`m.number NOT IN ${matching("$")}`, toExpression(organizationNumber, filter.excluded, "OR")),
];

/** Phrases as FTS5 asks for them; words are letters and digits alone, so nothing in them needs escaping. */
export function toExpression(
  organizationNumber: number,
  phrases: string[][] | undefined,
  operator: "AND" | "OR",
): string | null {
  if (phrases === undefined || phrases.length === 0) return null;
  const mark = (word: string) => `${organizationNumber}~${word}`;
  return phrases.map((words) => `"${words.map(mark).join(" ")}"`).join(` ${operator} `);
}

/** Whether the scope leaves out anything of the organization. */
export const isNarrowed = (scope: SearchScope): boolean =>
  conversationsOfScope(scope).length + messagesOfScope(scope).length > 0;
