import { useEffect, useRef, useState } from "preact/hooks";

export interface Selection {
  ids: ReadonlySet<string>;
  /** Selects an item, or removes it. With `isRange`, all from the item before it that was clicked. */
  toggle(id: string, isRange: boolean): void;
  /** Selects all items, or none. */
  set(isSelected: boolean): void;
}

/** Which items of a list are selected. Those that leave the list are not. A change of `inputs` clears the selection. */
export function useSelection(items: readonly { id: string }[], inputs: readonly unknown[]): Selection {
  const [all, setAll] = useState<ReadonlySet<string>>(new Set());
  const anchor = useRef<string>(undefined);
  useEffect(() => {
    setAll(new Set());
    anchor.current = undefined;
  }, [JSON.stringify(inputs)]);
  const listed = items.map(({ id }) => id);
  const ids = new Set(listed.filter((id) => all.has(id)));
  return {
    ids,
    set: (isSelected) => setAll(new Set(isSelected ? listed : [])),
    toggle: (id, isRange) => {
      const [from, to] = [anchor.current ?? id, id].map((each) => listed.indexOf(each)).sort((a, b) => a - b);
      const isSelected = !ids.has(id);
      const range = isRange && from !== undefined && from >= 0 ? listed.slice(from, (to ?? from) + 1) : [id];
      const next = new Set(ids);
      for (const each of range) {
        if (isSelected) next.add(each);
        else next.delete(each);
      }
      anchor.current = id;
      setAll(next);
    },
  };
}
