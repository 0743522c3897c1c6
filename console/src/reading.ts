import { effect, signal } from "@preact/signals";
import type { FunctionComponent } from "preact";

const STORED_AS = "engram.markdown";

/** Whether messages are formatted as Markdown. Otherwise they are shown as they are stored. */
export const isMarkdown = signal(localStorage.getItem(STORED_AS) === "on");

/** Shows a text as Markdown. Null while its script is not loaded: it is of no use to those who read the text as stored. */
export const markdown = signal<FunctionComponent<{ of: string }> | null>(null);

effect(() => {
  if (isMarkdown.value && markdown.peek() === null)
    import("./parts/markdown.tsx").then(
      ({ Markdown }) => {
        markdown.value = Markdown;
      },
      () => {
        isMarkdown.value = false;
      },
    );
});

/** Switches between Markdown and the text as stored, and remembers the choice in this browser. */
export function switchMarkdown(): void {
  isMarkdown.value = !isMarkdown.value;
  if (isMarkdown.value) localStorage.setItem(STORED_AS, "on");
  else localStorage.removeItem(STORED_AS);
}
