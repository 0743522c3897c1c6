import { type Signal, signal } from "@preact/signals";

/** A list that is kept in this browser alone, under a name. */
export interface StoredList<Item> {
  items: Signal<readonly Item[]>;
  keep(items: readonly Item[]): void;
}

/** @param isItem What is stored may be of another version, or written by hand: anything else is left out. */
export function storedList<Item>(name: string, isItem: (value: unknown) => value is Item): StoredList<Item> {
  const items = signal<readonly Item[]>(read(name).filter(isItem));
  const keep = (changed: readonly Item[]) => {
    if (changed.length === 0) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(changed));
    items.value = changed;
  };
  return { items, keep };
}

function read(name: string): unknown[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(name) ?? "[]");
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}
