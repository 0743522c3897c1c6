import { ChevronsUpDown, CircleUserRound } from "lucide";
import { useRef } from "preact/hooks";
import { MESSAGES } from "./messages.ts";
import { Icon } from "./parts/icon.tsx";
import { signedInAs, signOut } from "./session.ts";
import { chooseTheme, THEMES, theme } from "./theme.ts";

const MENU = "account";

/** The menu of the one who is signed in: theme, shortcuts, documents and sign-out. */
export function Account({ showHelp }: { showHelp(): void }) {
  const menu = useRef<HTMLDivElement>(null);
  const leave = (act: () => void) => () => {
    menu.current?.hidePopover();
    act();
  };
  const name = signedInAs.value;
  return (
    <footer>
      <button type="button" class="account" popovertarget={MENU} aria-label={`${MESSAGES.account}: ${name}`}>
        <Icon of={CircleUserRound} /> <span>{name}</span> <Icon of={ChevronsUpDown} />
      </button>
      <div id={MENU} ref={menu} class="account-menu" popover="auto">
        <p class="note">{MESSAGES.signedInWith}</p>
        <p>
          <strong>{name}</strong>
        </p>
        <fieldset class="segments">
          <legend class="only-read">{MESSAGES.theme}</legend>
          {THEMES.map((each) => (
            <label key={each}>
              <input
                type="radio"
                name="theme"
                checked={theme.value === each}
                onChange={() => chooseTheme(each)}
              />
              <span>{MESSAGES.themes[each]}</span>
            </label>
          ))}
        </fieldset>
        <button type="button" onClick={leave(showHelp)}>
          {MESSAGES.keysHelp} <kbd>?</kbd>
        </button>
        <a href="docs">{MESSAGES.links.docs}</a>
        <button type="button" onClick={leave(signOut)}>
          {MESSAGES.signOut}
        </button>
      </div>
    </footer>
  );
}
