import type { SearchBody } from "@engram/sdk";
import { MESSAGES } from "./messages.ts";
import { commonFilters, type Filter, filtered } from "./parts/filters.tsx";

const texts = MESSAGES.search;
const toList = (text: string): string[] => text.split(",");

/** What a second search may have of its own. */
export const OF_EACH_SIDE: readonly Filter[] = [
  { name: "mode", label: texts.mode, placeholder: "hybrid", choices: ["semantic", "keyword"] },
  { name: "in", label: texts.in, choices: ["conversations", "memories"], read: toList },
  { name: "limit", label: texts.limit, placeholder: "10", choices: ["5", "20", "50"], read: Number },
  { name: "min_relevance", label: texts.minRelevance, placeholder: "0.25", read: Number },
];

const ROLES = ["user", "assistant", "system", "tool"];

export const SHARED: readonly Filter[] = [
  ...commonFilters("user_id", "agent_id", "conversation_id", "tags_any"),
  { name: "roles", label: MESSAGES.filterLabels.role, choices: ROLES, read: toList },
  ...commonFilters("created_after", "created_before", "valid_at", "as_of"),
];

/** The body of a search, of the fields that the URL of the page has. */
export const searchBody = (value: (name: string) => string | undefined): SearchBody => ({
  ...{ query: value("q") ?? "", explain: true, in: ["conversations", "memories"], limit: 10 },
  ...filtered([...OF_EACH_SIDE, ...SHARED], value),
});
