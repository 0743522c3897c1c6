import { useEffect, useState } from "preact/hooks";
import { Lazy } from "./lazy.tsx";
import { MESSAGES } from "./messages.ts";
import { Dialog } from "./parts/dialog.tsx";
import { Logo } from "./parts/logo.tsx";
import { goTo, linkTo, route, signInCode } from "./route.ts";
import { SignIn } from "./screens/sign-in.tsx";
import { OPERATOR_PLACES, PLACES, screenOf } from "./screens.ts";
import { isOperator, isSignedIn, keyPrefix, otherOrganization, signOut } from "./session.ts";
import { listenToKeys } from "./shortcuts.ts";
import { switchTheme } from "./theme.ts";

export function App() {
  const isDecided = signInCode.value === null && otherOrganization.value === null;
  return isSignedIn.value && isDecided ? <Console /> : <SignIn />;
}

function Console() {
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const places = isOperator.value ? OPERATOR_PLACES : PLACES;
  const path = isOperator.value && route.value.path.length === 0 ? ["organizations"] : route.value.path;
  const place = path[0] ?? "";
  useEffect(() => listenToKeys({ showHelp: () => setHelpOpen(true), search: () => goTo(["search"]) }), []);
  useEffect(() => {
    setMenuOpen(false);
    const { label } = places.flatMap(({ places }) => places).find(({ name }) => name === place) ?? {};
    document.title = label === undefined ? "Engram" : `${label} · Engram`;
  }, [route.value]);
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={skipToMain}>
        {MESSAGES.skip}
      </button>
      <aside class={isMenuOpen ? "open" : undefined}>
        <div class="brand">
          <a href={linkTo([])}>
            <Logo /> Engram
          </a>
          <button
            type="button"
            class="icon menu"
            aria-expanded={isMenuOpen}
            aria-label={MESSAGES.menu}
            onClick={() => setMenuOpen(!isMenuOpen)}
          >
            ☰
          </button>
        </div>
        <nav aria-label={MESSAGES.places}>
          {places.map(({ title, places: group }) => (
            <div key={title}>
              {title !== "" && <h2>{title}</h2>}
              {group.map(({ name, label }) => (
                <a
                  key={name}
                  href={linkTo(name === "" ? [] : [name])}
                  aria-current={name === place ? "page" : undefined}
                >
                  {label}
                </a>
              ))}
            </div>
          ))}
        </nav>
        <footer>
          <p class="note" title={MESSAGES.signedInWith}>
            {isOperator.value ? MESSAGES.adminToken : <code>{keyPrefix.value}…</code>}
          </p>
          <div class="actions">
            <button type="button" class="small" onClick={switchTheme}>
              {MESSAGES.theme}
            </button>
            <button type="button" class="small" onClick={() => setHelpOpen(true)}>
              {MESSAGES.keysHelp} <kbd>?</kbd>
            </button>
            <button type="button" class="small" onClick={signOut}>
              {MESSAGES.signOut}
            </button>
          </div>
        </footer>
      </aside>
      <main id="main" tabIndex={-1}>
        <Lazy key={screenOf(path).name} load={screenOf(path).load} />
      </main>
      {isHelpOpen && (
        <Dialog title={MESSAGES.keysHelp} close={() => setHelpOpen(false)}>
          <dl class="shortcuts">
            {MESSAGES.shortcuts.map(([keys, text]) => (
              <div key={keys}>
                <dt>
                  <kbd>{keys}</kbd>
                </dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </Dialog>
      )}
    </div>
  );
}

// A link would not do: the fragment of the URL is the place in the console.
function skipToMain(): void {
  document.querySelector<HTMLElement>("#main")?.focus();
}
