import type { ComponentChildren } from "preact";
import { MESSAGES } from "../messages.ts";

const texts = MESSAGES.bulk;

/** How many items are selected, and what can be done with them. Nothing if none is selected. */
export function SelectionBar(props: { count: number; clear(): void; children: ComponentChildren }) {
  if (props.count === 0) return null;
  return (
    <div class="selection-bar" role="toolbar" aria-label={texts.selection}>
      <strong role="status">{texts.selected(props.count)}</strong>
      {props.children}
      <button type="button" class="link" onClick={props.clear}>
        {texts.clear}
      </button>
    </div>
  );
}
