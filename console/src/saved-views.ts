import { storedList } from "./stored-list.ts";

/** Filters of the conversations under a name, kept in this browser alone. */
export interface SavedView {
  name: string;
  /** The query of the address, such as `user_id=maria`. */
  query: string;
}

const { items, keep } = storedList("engram.views", isView);
export const savedViews = items;

/** Keeps a view. One with the same name or the same query is replaced. */
export function saveView(view: SavedView): void {
  const others = savedViews.value.filter(({ name, query }) => name !== view.name && query !== view.query);
  keep([...others, view]);
}

export const removeView = (name: string): void => keep(savedViews.value.filter((view) => view.name !== name));

function isView(value: unknown): value is SavedView {
  const { name, query } = (value ?? {}) as Partial<SavedView>;
  return typeof name === "string" && typeof query === "string";
}

/** The query of an address in one form, whatever the order of its parameters. */
export function normalQuery(query: URLSearchParams): string {
  const sorted = new URLSearchParams(query);
  sorted.sort();
  return sorted.toString();
}
