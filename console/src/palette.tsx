import { ArrowRight, type IconNode, Search } from "lucide";
import { useRef, useState } from "preact/hooks";
import { type LabeledPlace, placeOfId } from "./ids.ts";
import { MESSAGES } from "./messages.ts";
import { Dialog } from "./parts/dialog.tsx";
import { Icon } from "./parts/icon.tsx";
import { Text } from "./parts/text.tsx";
import { goTo } from "./route.ts";
import { OPERATOR_PLACES, PLACES, pathOf } from "./screens.ts";
import { isOperator } from "./session.ts";

const texts = MESSAGES.palette;
const LIST = "palette-list";

/** What the palette offers to go to. */
export interface Choice extends LabeledPlace {
  icon: IconNode;
  /** The shortcut of the place. */
  keys?: string;
}

/** What a typed text can mean: an id, places by their names, and a search for it. */
export function choicesOf(typed: string, isForOperator: boolean): Choice[] {
  const text = typed.trim();
  const places = (isForOperator ? OPERATOR_PLACES : PLACES)
    .flatMap((group) => group.places)
    .map((place) => ({
      ...{ label: place.label, icon: place.icon, path: pathOf(place), keys: `g ${place.letter}` },
    }));
  if (text === "") return places;
  const words = text.toLowerCase().split(/\s+/);
  const named = places.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
  if (isForOperator) return named;
  const ofId = placeOfId(text);
  const search = { label: texts.searchFor(text), icon: Search, path: ["search"], query: { q: text } };
  return [...(ofId === undefined ? [] : [{ ...ofId, icon: ArrowRight }]), ...named, search];
}

/** Goes to a place by its name, to anything by its id, or searches for what is typed. */
export function Palette({ close }: { close(): void }) {
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const choices = choicesOf(typed, isOperator.value);
  const go = (choice: Choice | undefined) => {
    if (choice === undefined) return;
    close();
    goTo(choice.path, choice.query);
  };
  const move = (step: number) => {
    const next = (chosen + step + choices.length) % choices.length;
    setChosen(next);
    list.current?.children[next]?.scrollIntoView({ block: "nearest" });
  };
  const press = (event: KeyboardEvent) => {
    const keys: Record<string, () => void> = {
      ArrowDown: () => move(1),
      ArrowUp: () => move(-1),
      Enter: () => go(choices[chosen]),
    };
    if (!Object.hasOwn(keys, event.key) || event.isComposing) return;
    event.preventDefault();
    keys[event.key]?.();
  };
  return (
    <Dialog title={texts.title} close={close} kind="palette">
      <input
        role="combobox"
        aria-label={texts.title}
        aria-expanded="true"
        aria-controls={LIST}
        aria-activedescendant={choices.length > 0 ? `${LIST}-${chosen}` : undefined}
        placeholder={isOperator.value ? texts.placeholderOfOperator : texts.placeholder}
        autoComplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={press}
      />
      <div id={LIST} ref={list} role="listbox" aria-label={texts.choices}>
        {choices.map((choice, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus, and its keys choose
          <div
            key={`${choice.path}${choice.label}`}
            id={`${LIST}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === chosen}
            onMouseMove={() => setChosen(i)}
            onClick={() => go(choice)}
          >
            <Icon of={choice.icon} />
            <Text of={choice.label} />
            {choice.keys !== undefined && <kbd>{choice.keys}</kbd>}
          </div>
        ))}
      </div>
      {choices.length === 0 && <p class="note">{texts.none}</p>}
    </Dialog>
  );
}
