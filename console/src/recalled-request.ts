import { type KeptRequest, queryOf } from "./kept-request.ts";
import type { Query } from "./route.ts";
import { OF_EACH_SIDE, SHARED } from "./search-body.ts";

const LABELS = new Map([...OF_EACH_SIDE, ...SHARED].map(({ name, label }) => [name, label]));
const FIELDS = [...LABELS.keys()];
/** Values that limit nothing. A number of results limits how many there are, not which. */
const UNLIMITED: Readonly<Record<string, RegExp>> = { mode: /^hybrid$/, in: /conversations/, limit: /^/ };

/** The place in the console that sends such a request, with what of it the fields there can have. */
export function placeOfRequest(kept: KeptRequest): { path: string[]; query: Query } {
  const { operation, request } = kept;
  const shares = Object.entries((request.shares ?? {}) as Record<string, number>);
  return {
    path: [operation === "getContext" ? "context" : "search"],
    query: {
      q: queryOf(kept),
      ...Object.fromEntries(FIELDS.map((name) => [name, textOf(request[name])])),
      ...(operation === "searchMemories" && { in: "memories" }),
      ...(operation === "getContext" && {
        max_tokens: textOf(request.max_tokens),
        ...Object.fromEntries(shares.map(([part, share]) => [`share_${part}`, String(share)])),
      }),
    },
  };
}

/** The filters of a request, as texts. */
export const filtersOf = ({ request }: KeptRequest): string[] =>
  FIELDS.flatMap((name) => {
    const value = textOf(request[name]);
    return value === "" || UNLIMITED[name]?.test(value)
      ? []
      : [`${LABELS.get(name)}: ${value.replaceAll(",", ", ")}`];
  });

/** A field of a request as the address has it. Empty if it is absent. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(",");
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? dayOf(value) : "";
}

/** The local day if a time is its start, because a field has a day. Otherwise the text itself. */
function dayOf(text: string): string {
  const date = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT/.test(text) || date.getHours() + date.getMinutes() + date.getSeconds() > 0)
    return text;
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
}
