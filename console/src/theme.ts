const STORED_AS = "engram.theme";

/** Applies the theme that was chosen in this browser. Without one, the page follows the system. */
export function applyTheme(): void {
  const stored = localStorage.getItem(STORED_AS);
  if (stored === "light" || stored === "dark") document.documentElement.dataset.theme = stored;
}

/** Switches between light and dark, and remembers the choice in this browser. */
export function switchTheme(): void {
  const { dataset } = document.documentElement;
  const isDark =
    dataset.theme === undefined
      ? matchMedia("(prefers-color-scheme: dark)").matches
      : dataset.theme === "dark";
  dataset.theme = isDark ? "light" : "dark";
  localStorage.setItem(STORED_AS, dataset.theme);
}
