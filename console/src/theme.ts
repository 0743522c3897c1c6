import { signal } from "@preact/signals";

const STORED_AS = "engram.theme";

export const THEMES = ["light", "dark", "system"] as const;
export type Theme = (typeof THEMES)[number];

/** The theme that was chosen in this browser. `system` follows the system. */
export const theme = signal<Theme>(storedTheme());

function storedTheme(): Theme {
  const stored = localStorage.getItem(STORED_AS);
  return stored === "light" || stored === "dark" ? stored : "system";
}

theme.subscribe((chosen) => {
  const { dataset } = document.documentElement;
  if (chosen === "system") delete dataset.theme;
  else dataset.theme = chosen;
});

/** Changes the theme, and remembers it in this browser. */
export function chooseTheme(chosen: Theme): void {
  theme.value = chosen;
  if (chosen === "system") localStorage.removeItem(STORED_AS);
  else localStorage.setItem(STORED_AS, chosen);
}
