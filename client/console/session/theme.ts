/** Light or dark, or as the system is. */
export type Theme = "system" | "light" | "dark";

const NAME = "theme";

export function isTheme(text: string): text is Theme {
  return text === "system" || text === "light" || text === "dark";
}

/** What was chosen in this browser. */
export function chosenTheme(): Theme {
  const stored = localStorage.getItem(NAME) ?? "";
  return isTheme(stored) ? stored : "system";
}

/** Shows the page so from now on, and remembers it. */
export function chooseTheme(theme: Theme): void {
  if (theme === "system") localStorage.removeItem(NAME);
  else localStorage.setItem(NAME, theme);
  showTheme();
}

/** Shows the page as was chosen. */
export function showTheme(): void {
  const theme = chosenTheme();
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
