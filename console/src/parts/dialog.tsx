import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { MESSAGES } from "../messages.ts";

/** A modal dialog, open while it is rendered. Escape closes it. */
export function Dialog(props: { title: string; close(): void; children: ComponentChildren }) {
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
