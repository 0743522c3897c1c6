import { X } from "lucide";
import { type ComponentChildren, render } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { MESSAGES } from "../messages.ts";
import { Icon } from "./icon.tsx";

interface DialogProps {
  title: string;
  close(): void;
  children: ComponentChildren;
  /** `palette` begins with a field instead of the title. A click outside closes it. */
  kind?: "palette";
}

/**
 * A modal dialog, open while it is rendered. Escape closes it.
 *
 * Its element is a child of the page's body, because styles of the place that opens it, such as a cell of a table, would
 * apply to the dialog, too.
 */
export function Dialog(props: DialogProps) {
  const [place] = useState(() => document.createElement("div"));
  useLayoutEffect(() => {
    document.body.append(place);
    return () => {
      render(null, place);
      place.remove();
    };
  }, [place]);
  useLayoutEffect(() => render(<Modal {...props} />, place));
  return null;
}

function Modal(props: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={props.kind}
      aria-label={props.title}
      closedby={props.kind === undefined ? undefined : "any"}
      onClose={props.close}
    >
      {props.kind === undefined && (
        <header>
          <h2>{props.title}</h2>
          <button type="button" class="icon" aria-label={MESSAGES.close} onClick={props.close}>
            <Icon of={X} />
          </button>
        </header>
      )}
      {props.children}
    </dialog>
  );
}
