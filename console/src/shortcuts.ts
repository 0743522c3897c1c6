/** Handles the shortcuts of every screen. @returns Stops listening. */
export function listenToKeys(actions: { showHelp(): void; search(): void }): () => void {
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (document.querySelector("dialog[open]") !== null) return;
    const act = {
      "/": () => focusSearch() || actions.search(),
      "?": actions.showHelp,
      j: () => moveBy(1),
      k: () => moveBy(-1),
    }[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  addEventListener("keydown", press);
  return () => removeEventListener("keydown", press);
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input, textarea, select") !== null;

function focusSearch(): boolean {
  const field = document.querySelector<HTMLElement>("[data-search]");
  field?.focus();
  return field !== null;
}

/** Moves the focus to the next or previous item of the list. */
function moveBy(step: number): void {
  const items = [...document.querySelectorAll<HTMLElement>("[data-item]")];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = items[at === -1 ? (step > 0 ? 0 : items.length - 1) : at + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
