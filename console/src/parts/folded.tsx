import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

/**
 * A part of a screen that is folded at first. Its content is rendered when it is first opened, because a list has many
 * of these and a user opens few.
 */
export function Folded(props: { class: string; summary: ComponentChildren; children: ComponentChildren }) {
  const [wasOpened, setOpened] = useState(false);
  return (
    <details class={props.class} onToggle={() => setOpened(true)}>
      {props.summary}
      {wasOpened && props.children}
    </details>
  );
}
