import { MESSAGES } from "./messages.ts";
import { Dialog } from "./parts/dialog.tsx";
import type { PLACES } from "./screens.ts";
import { PALETTE_KEYS } from "./shortcuts.ts";

/** Every shortcut, and the letter of each place. */
export function ShortcutsDialog({ places, close }: { places: typeof PLACES; close(): void }) {
  const goTo = places
    .flatMap((group) => group.places)
    .map(({ letter, label }) => [`g ${letter}`, label] as const);
  return (
    <Dialog title={MESSAGES.keysHelp} close={close}>
      <Shortcuts of={[[PALETTE_KEYS, MESSAGES.palette.text], ...MESSAGES.shortcuts]} />
      <h3>{MESSAGES.goTo}</h3>
      <Shortcuts of={goTo} />
    </Dialog>
  );
}

const Shortcuts = ({ of: shortcuts }: { of: readonly (readonly [string, string])[] }) => (
  <dl class="shortcuts">
    {shortcuts.map(([keys, text]) => (
      <div key={keys}>
        <dt>
          {keys.split(" ").map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </dt>
        <dd>{text}</dd>
      </div>
    ))}
  </dl>
);
