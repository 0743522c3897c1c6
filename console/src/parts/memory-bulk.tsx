import type { Memory } from "@engram/sdk";
import { useState } from "preact/hooks";
import { firstWords } from "../format.ts";
import { Lazy } from "../lazy.tsx";
import { MESSAGES } from "../messages.ts";
import { SelectionBar } from "./selection-bar.tsx";

/** Deletes the selected memories. `deleted` is called when the dialog of a deletion is closed. */
export function MemoryBulk(props: { items: readonly Memory[]; clear(): void; deleted(): void }) {
  const { items, clear, deleted } = props;
  // The dialog keeps its items, also when they leave the list.
  const [asked, setAsked] = useState<readonly Memory[]>();
  const loadDialog = async (chosen: readonly Memory[]) => {
    const { DeleteMemories } = await import("./delete-memories.tsx");
    const close = (hasRun: boolean) => {
      if (hasRun) deleted();
      setAsked(undefined);
    };
    return { Screen: () => <DeleteMemories items={chosen} nameOf={nameOf} close={close} /> };
  };
  return (
    <>
      <SelectionBar count={items.length} clear={clear}>
        <button type="button" class="danger" onClick={() => setAsked(items)}>
          {MESSAGES.bulk.delete}
        </button>
      </SelectionBar>
      {asked && <Lazy load={() => loadDialog(asked)} meanwhile={null} />}
    </>
  );
}

export const nameOf = ({ content }: Memory): string => firstWords(content) || MESSAGES.memories.without;
