import type { MessageRole } from "@engram/spec";
import type { Owner } from "./batch.ts";
import {
  CONVERSATION_FILTER,
  type ConversationFilter,
  conversationFilterBinds,
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

/** Conversations over `c`: binds ?1 to ?11. Messages over `m`: ?12 to ?17. */
export const CONVERSATIONS = `${CONVERSATION_FILTER} AND (?11 IS NULL OR c.id = ?11)`;
export const MESSAGES = `(?12 IS NULL OR m.role IN (SELECT value FROM json_each(?12)))
  AND (?13 IS NULL OR m.created_at_ms >= ?13) AND (?14 IS NULL OR m.created_at_ms < ?14)
  AND (?15 IS NULL OR m.name IN (SELECT value FROM json_each(?15)))
  AND (?16 IS NULL OR m.number IN ${matching("?16")})
  AND (?17 IS NULL OR m.number NOT IN ${matching("?17")})`;

export function filterBinds({ owner, organizationNumber, filter }: SearchScope): unknown[] {
  return [
    ...conversationFilterBinds(owner, filter),
    filter.conversationId ?? null,
    filter.roles === undefined ? null : JSON.stringify(filter.roles),
    filter.saidAfterMs ?? null,
    filter.saidBeforeMs ?? null,
    filter.names === undefined ? null : JSON.stringify(filter.names),
    toExpression(organizationNumber, filter.phrases, "AND"),
    toExpression(organizationNumber, filter.excluded, "OR"),
  ];
}

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
export function isNarrowed({ owner, filter }: SearchScope): boolean {
  const isGiven = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);
  return owner.agentId !== null || Object.values(filter).some(isGiven);
}
