/**
 * What was chosen in this browser before. One that keeps nothing for pages throws when it is asked, and the page would
 * stay blank: then nothing was chosen, and what is chosen holds as long as the page is open.
 */
export function keptChoice(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keeps a choice in this browser, if it keeps any. */
export function keepChoice(name: string, choice: string): void {
  try {
    localStorage.setItem(name, choice);
  } catch {
    // It is shown all the same.
  }
}
