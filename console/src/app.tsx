import { Menu, Search } from "lucide";
import { useEffect, useState } from "preact/hooks";
import { Account } from "./account.tsx";
import { Lazy } from "./lazy.tsx";
import { MESSAGES } from "./messages.ts";
import { Icon } from "./parts/icon.tsx";
import { Logo } from "./parts/logo.tsx";
import { goTo, linkTo, route, signInAnswer, signInCode } from "./route.ts";
import { SignIn } from "./screens/sign-in.tsx";
import { OPERATOR_PLACES, PLACES, pathOf, screenOf } from "./screens.ts";
import { isOperator, isSignedIn, otherOrganization } from "./session.ts";
import { listenToKeys, PALETTE_KEYS } from "./shortcuts.ts";
import { ShortcutsDialog } from "./shortcuts-dialog.tsx";

export function App() {
  const isDecided = [signInCode, signInAnswer, otherOrganization].every(({ value }) => value === null);
  return isSignedIn.value && isDecided ? <Console /> : <SignIn />;
}

type Overlay = "help" | "palette";

function Console() {
  const [overlay, setOverlay] = useState<Overlay>();
  const close = () => setOverlay(undefined);
  const places = isOperator.value ? OPERATOR_PLACES : PLACES;
  const path = isOperator.value && route.value.path.length === 0 ? ["organizations"] : route.value.path;
  const place = path[0] ?? "";
  useEffect(
    () =>
      listenToKeys({
        showHelp: () => setOverlay("help"),
        showPalette: () => setOverlay("palette"),
        search: () => goTo(["search"]),
        goTo: (letter) => {
          const found = places.flatMap((group) => group.places).find((each) => each.letter === letter);
          if (found !== undefined) goTo(pathOf(found));
        },
      }),
    [places],
  );
  useEffect(() => {
    const { label } = places.flatMap((group) => group.places).find(({ name }) => name === place) ?? {};
    document.title = label === undefined ? "Engram" : `${label} · Engram`;
  }, [route.value]);
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={skipToMain}>
        {MESSAGES.skip}
      </button>
      <Navigation place={place} places={places} show={setOverlay} />
      <main id="main" tabIndex={-1}>
        <Lazy key={screenOf(path).name} load={screenOf(path).load} />
      </main>
      {overlay === "help" && <ShortcutsDialog places={places} close={close} />}
      {overlay === "palette" && <Lazy load={() => loadPalette(close)} meanwhile={null} />}
    </div>
  );
}

/** The menu, with what is in reach on every screen. */
function Navigation(props: { place: string; places: typeof PLACES; show(overlay: Overlay): void }) {
  const { place, places, show } = props;
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [route.value]);
  return (
    <aside class={isOpen ? "open" : undefined}>
      <div class="brand">
        <a href={linkTo([])}>
          <Logo /> Engram
        </a>
        <button
          type="button"
          class="icon menu"
          aria-expanded={isOpen}
          aria-label={MESSAGES.menu}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon of={Menu} />
        </button>
      </div>
      <button type="button" class="find" onClick={() => show("palette")}>
        <Icon of={Search} />
        <span>{MESSAGES.palette.open}</span>
        <kbd>{PALETTE_KEYS}</kbd>
      </button>
      <nav aria-label={MESSAGES.places}>
        {places.map(({ title, places: group }) => (
          <div key={title}>
            {title !== "" && <h2>{title}</h2>}
            {group.map((each) => (
              <a
                key={each.name}
                href={linkTo(pathOf(each))}
                aria-current={each.name === place ? "page" : undefined}
              >
                <Icon of={each.icon} />
                {each.label}
              </a>
            ))}
          </div>
        ))}
      </nav>
      <Account showHelp={() => show("help")} />
    </aside>
  );
}

const loadPalette = async (close: () => void) => {
  const { Palette } = await import("./palette.tsx");
  return { Screen: () => <Palette close={close} /> };
};

// A link would not do: the fragment of the URL is the place in the console.
function skipToMain(): void {
  document.querySelector<HTMLElement>("#main")?.focus();
}
