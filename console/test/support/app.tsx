import { render } from "preact";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { type Answer, answerWith, connectTabs, json, SECRET, until } from "./service.ts";

const INDEX = {
  messages: 0,
  pending: 0,
  failed: 0,
  chunks: 0,
  deletions_pending: 0,
  model: "m",
  dimensions: 1,
};

/** What the service answers for an organization that has stored nothing. */
export const emptyStore: Answer = ({ pathname }) => {
  if (pathname === "/v1/index")
    return json({ ...INDEX, chunks_of_other_models: 0, complete: true, last_error: null });
  if (pathname === "/v1/search")
    return json({ results: [], pending: 0, below_min_relevance: 0, degraded: [], tokens: 0 });
  if (pathname === "/v1/context") {
    const none = { items: [], tokens: 0, omitted: 0, below_min_relevance: 0 };
    return json({
      text: "",
      tokens: 0,
      messages: none,
      memories: none,
      results: none,
      degraded: [],
      pending: 0,
    });
  }
  if (pathname === "/v1/archives/schedule") return json({ every_days: null, keep_days: null, next_at: null });
  return json({ items: [], next_cursor: null, total: 0, after: 0, oldest: 1, caught_up: true });
};

connectTabs();
// The session reads the key when it is loaded.
localStorage.setItem("engram.key", SECRET);
const { App } = await import("../../src/app.tsx");
const { route } = await import("../../src/route.ts");

let root: HTMLElement;
beforeEach(() => {
  root = document.body.appendChild(document.createElement("div"));
});
afterEach(() => {
  closePage();
  root.remove();
  vi.unstubAllGlobals();
});

/** Another place, or the same one, can then be opened anew. */
export const closePage = (): void => render(null, root);

/** Opens a place as the page does, with a service that answers so. */
export async function open(place: string, answer: Answer): Promise<string[]> {
  const asked = answerWith(answer);
  location.hash = `#/${place}`;
  const [path = "", query = ""] = place.split("?");
  await until(() => {
    expect(route.value.path.join("/")).toBe(path);
    expect(route.value.query.toString()).toBe(new URLSearchParams(query).toString());
  });
  render(<App />, root);
  return asked;
}

/** The text of the first element that a selector names. Empty if there is none. */
export const text = (selector: string): string => document.querySelector(selector)?.textContent ?? "";
