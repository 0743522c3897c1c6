import type { ListedConversation } from "@engram/sdk";
import { useState } from "preact/hooks";
import { Lazy } from "../lazy.tsx";
import { MESSAGES } from "../messages.ts";
import { tagsOf } from "./listed-conversation.tsx";
import { SelectionBar } from "./selection-bar.tsx";

const texts = MESSAGES.bulk;
const WORKS = ["addTag", "removeTag", "export", "delete"] as const;

interface Asked {
  work: (typeof WORKS)[number];
  items: readonly ListedConversation[];
}

/** What can be done with the selected conversations, and how many they are. Nothing if none is selected. */
export function ConversationBulk(props: {
  items: readonly ListedConversation[];
  /** Changes the items of the list. */
  change(items: (before: ListedConversation[]) => ListedConversation[]): void;
  clear(): void;
  /** Called when the dialog of a deletion is closed. */
  deleted(): void;
}) {
  const { items, change, clear, deleted } = props;
  // The dialog keeps its items, also when they leave the list.
  const [asked, setAsked] = useState<Asked>();
  const loadDialog = async ({ work, items: chosen }: Asked) => {
    const { DIALOGS } = await import("./conversation-bulk-dialogs.tsx");
    const Dialog = DIALOGS[work];
    const close = (hasRun: boolean) => {
      if (hasRun && work === "delete") deleted();
      setAsked(undefined);
    };
    return { Screen: () => <Dialog items={chosen} change={change} close={close} /> };
  };
  return (
    <>
      <SelectionBar count={items.length} clear={clear}>
        {WORKS.map((work) => (
          <button
            key={work}
            type="button"
            class={work === "delete" ? "danger" : undefined}
            disabled={work === "removeTag" && tagsOf(items).length === 0}
            onClick={() => setAsked({ work, items })}
          >
            {texts[work]}
          </button>
        ))}
      </SelectionBar>
      {asked && <Lazy load={() => loadDialog(asked)} meanwhile={null} />}
    </>
  );
}
