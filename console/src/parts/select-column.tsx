import { MESSAGES } from "../messages.ts";
import type { Selection } from "../selection.ts";
import type { Column } from "./table.tsx";

const texts = MESSAGES.conversations;

/** Checkboxes that select items of a list. With the shift key, all since the one before. */
export const selectColumn = <T extends { id: string }>(
  selection: Selection,
  items: readonly T[],
  nameOf: (item: T) => string,
): Column<T> => ({
  title: texts.selectAll,
  kind: "check",
  head: (
    <input
      type="checkbox"
      aria-label={texts.selectAll}
      checked={items.length > 0 && selection.ids.size === items.length}
      onChange={({ currentTarget: { checked } }) => selection.set(checked)}
    />
  ),
  cell: (item) => (
    <input
      type="checkbox"
      aria-label={texts.select(nameOf(item))}
      checked={selection.ids.has(item.id)}
      onClick={({ shiftKey }) => selection.toggle(item.id, shiftKey)}
    />
  ),
});

/** Selects the item of the list that has the focus. */
export const selectFocused = (): boolean => {
  const box = document.activeElement?.closest("tr")?.querySelector<HTMLElement>("input[type=checkbox]");
  box?.click();
  return box != null;
};
