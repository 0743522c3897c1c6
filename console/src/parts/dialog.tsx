import { type ComponentChildren, render } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { MESSAGES } from "../messages.ts";

interface DialogProps {
  title: string;
  close(): void;
  children: ComponentChildren;
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
    <dialog ref={dialog} aria-label={props.title} onClose={props.close}>
      <header>
        <h2>{props.title}</h2>
        <button type="button" class="icon" aria-label={MESSAGES.close} onClick={props.close}>
          ×
        </button>
      </header>
      {props.children}
    </dialog>
  );
}
