/** Time in which the second key of a shortcut must follow the first. */
const SECOND_KEY_MS = 1_500;

/** Until then, the next key is the second one of a shortcut. */
let goUntilMs = 0;

/** The keys of the palette, as the user's keyboard names them. */
export const PALETTE_KEYS = /Mac|iP(hone|ad)/.test(navigator.platform) ? "⌘ K" : "Ctrl K";

/** What the shortcuts of every screen do, besides moving the focus. */
export interface ShortcutActions {
  showHelp(): void;
  showPalette(): void;
  search(): void;
  /** Goes to the place with this letter. */
  goTo(letter: string): void;
}

/** Handles the shortcuts of every screen. @returns Stops listening. */
export function listenToKeys(actions: ShortcutActions): () => void {
  const press = (event: KeyboardEvent) => {
    if (document.querySelector("dialog[open]") !== null) return;
    const act = isPalette(event) ? actions.showPalette : plainKey(event);
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  const plainKey = (event: KeyboardEvent): (() => void) | undefined => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const isSecond = event.timeStamp < goUntilMs;
    goUntilMs = 0;
    if (isSecond) return () => actions.goTo(event.key);
    const keys: Record<string, () => void> = {
      "/": () => focusSearch() || actions.search(),
      "?": actions.showHelp,
      j: () => moveBy(1),
      k: () => moveBy(-1),
      g: () => {
        goUntilMs = event.timeStamp + SECOND_KEY_MS;
      },
    };
    return Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
  };
  addEventListener("keydown", press);
  return () => removeEventListener("keydown", press);
}

/**
 * Handles keys of one screen, while the user neither types nor sees a menu or dialog. An action that returns false leaves the key
 * to the browser. @returns Stops listening.
 */
export function onKeys(actions: Readonly<Record<string, () => unknown>>): () => void {
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    // The shortcuts of every screen come first, whichever listener is called first.
    if (event.defaultPrevented || event.timeStamp < goUntilMs) return;
    if (document.querySelector("dialog[open]") !== null) return;
    const act = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
    if (act !== undefined && act() !== false) event.preventDefault();
  };
  addEventListener("keydown", press);
  return () => removeEventListener("keydown", press);
}

/** ⌘K on a Mac, Ctrl+K elsewhere. Also in a field, as in other tools. */
const isPalette = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === "k";

/** Whether the user types, or something is open over the page, such as a menu. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest("input, textarea, select, [popover]") !== null;

function focusSearch(): boolean {
  const field = document.querySelector<HTMLElement>("[data-search]");
  field?.focus();
  return field !== null;
}

/** Items of the screen's lists. A row is one item: its first element in sight that opens something, or else itself. */
const listItems = (): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>("main [data-item], main tbody tr")].filter((element) => {
    const row = element.closest("tr");
    return row === null || element === ([...row.querySelectorAll("[data-item]")].find(isRendered) ?? row);
  });

/** False for what a column has that the width of the page leaves out. */
const isRendered = (element: Element): boolean => element.checkVisibility();

/** Moves the focus to the next or previous item of the screen's lists. */
function moveBy(step: number): void {
  const items = listItems();
  const at = items.findIndex((item) => item.contains(document.activeElement));
  const next = at === -1 ? (step > 0 ? firstInSight(items) : items.at(-1)) : items[at + step];
  if (next === undefined) return;
  if (next.matches("tr")) next.tabIndex = -1;
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

/** A list that scrolls has rows above those in sight, too. */
function firstInSight(items: readonly HTMLElement[]): HTMLElement | undefined {
  const top = items[0]?.closest("section, main")?.getBoundingClientRect().top ?? 0;
  return items.find((item) => item.getBoundingClientRect().top >= top) ?? items[0];
}
