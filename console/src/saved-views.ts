import { signal } from "@preact/signals";

/** Filters of the conversations under a name, kept in this browser alone. */
export interface SavedView {
  name: string;
  /** The query of the address, such as `user_id=maria`. */
  query: string;
}

const STORED_AS = "engram.views";

export const savedViews = signal<readonly SavedView[]>(read());

/** Keeps a view. One with the same name or the same query is replaced. */
export function saveView(view: SavedView): void {
  const others = savedViews.value.filter(({ name, query }) => name !== view.name && query !== view.query);
  keep([...others, view]);
}

export const removeView = (name: string): void => keep(savedViews.value.filter((view) => view.name !== name));

function keep(views: readonly SavedView[]): void {
  localStorage.setItem(STORED_AS, JSON.stringify(views));
  savedViews.value = views;
}

/** What is stored may be of another version, or written by hand. */
function read(): SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORED_AS) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isView) : [];
  } catch {
    return [];
  }
}

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
