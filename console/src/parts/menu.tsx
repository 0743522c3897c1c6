import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { MESSAGES } from "../messages.ts";

export interface MenuItem {
  label: string;
  isDanger?: boolean;
  act(): void;
}

/** A button that opens a list of actions. Escape, Tab and a click elsewhere close it; arrow keys move in it. */
export function Menu(props: {
  items: readonly MenuItem[];
  /** Name of the button for assistive technology, if its text is not enough. */
  label?: string;
  text?: string;
  class?: string;
}) {
  const { items, text = "…", label = text === "…" ? MESSAGES.moreActions : undefined } = props;
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (list.current && opener.current) return placeAt(list.current, opener.current);
  }, []);
  const act = (item: MenuItem) => {
    list.current?.hidePopover?.();
    item.act();
  };
  return (
    <>
      <button
        ref={opener}
        type="button"
        class={props.class ?? "small"}
        aria-haspopup="menu"
        aria-label={label}
        popovertarget={id}
      >
        {text}
      </button>
      <div ref={list} id={id} popover="auto" role="menu" class="menu-list" onKeyDown={moveFocus}>
        {items.map((item) => (
          <button
            key={item.label}
            type="button"
            role="menuitem"
            class={item.isDanger ? "danger" : undefined}
            onClick={() => act(item)}
          >
            {item.label}
          </button>
        ))}
      </div>
    </>
  );
}

/** Shows the list at its button, on the side with more room, with the focus on its first item. @returns Stops that. */
function placeAt(list: HTMLElement, opener: HTMLElement): () => void {
  const place = ({ newState }: ToggleEvent) => {
    if (newState !== "open") return;
    const { left, right, top, bottom } = opener.getBoundingClientRect();
    const { clientWidth: width, clientHeight: height } = document.documentElement;
    const isRight = left + right > width;
    const isLow = bottom > height * 0.7;
    Object.assign(list.style, {
      left: isRight ? "auto" : `${left}px`,
      right: isRight ? `${width - right}px` : "auto",
      top: isLow ? "auto" : `${bottom + 4}px`,
      bottom: isLow ? `${height - top + 4}px` : "auto",
    });
  };
  const focus = ({ newState }: ToggleEvent) => {
    if (newState === "open") list.querySelector<HTMLElement>("button")?.focus();
  };
  list.addEventListener("beforetoggle", place);
  list.addEventListener("toggle", focus);
  return () => {
    list.removeEventListener("beforetoggle", place);
    list.removeEventListener("toggle", focus);
  };
}

function moveFocus(event: KeyboardEvent): void {
  const list = event.currentTarget as HTMLElement;
  if (event.key === "Tab") list.hidePopover?.();
  const items = [...list.querySelectorAll("button")];
  const at = items.indexOf(document.activeElement as HTMLButtonElement);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  items.at(to % items.length)?.focus();
}
