import { signal } from "@preact/signals";
import type { FunctionComponent } from "preact";

const STORED_AS = "engram.markdown";

/** Whether messages are formatted as Markdown, which is the default. Otherwise they are shown as they are stored. */
export const isMarkdown = signal(localStorage.getItem(STORED_AS) !== "off");

/** Shows a text as Markdown. Null while its script is not loaded: until then, texts are shown as they are stored. */
export const markdown = signal<FunctionComponent<{ of: string }> | null>(null);

/** Loads the script that parses Markdown. If that fails, texts stay as they are stored. */
export async function loadMarkdown(): Promise<void> {
  if (markdown.peek() !== null) return;
  try {
    const { Markdown } = await import("./parts/markdown.tsx");
    markdown.value = Markdown;
  } catch {
    isMarkdown.value = false;
  }
}

/** Switches between Markdown and the text as stored, and remembers the choice in this browser. */
export function switchMarkdown(): void {
  isMarkdown.value = !isMarkdown.value;
  if (isMarkdown.value) localStorage.removeItem(STORED_AS);
  else localStorage.setItem(STORED_AS, "off");
}
