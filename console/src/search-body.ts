import type { SearchBody } from "@engram/sdk";
import { toDay, toValues } from "./parts/filters.tsx";

/** The body of a search, of the fields that the URL of the page has. */
export function searchBody(value: (name: string) => string | undefined): SearchBody {
  const place = value("in");
  const role = value("roles");
  const minimum = value("min_relevance");
  return {
    query: value("q") ?? "",
    explain: true,
    mode: value("mode"),
    in: place === undefined ? ["conversations", "memories"] : [place],
    limit: Number(value("limit") ?? 10),
    min_relevance: minimum === undefined ? undefined : Number(minimum),
    user_id: value("user_id"),
    agent_id: value("agent_id"),
    conversation_id: value("conversation_id"),
    tags_any: toValues(value("tags_any")),
    roles: role === undefined ? undefined : [role],
    created_after: toDay(value("created_after")),
    created_before: toDay(value("created_before")),
  } as SearchBody;
}
