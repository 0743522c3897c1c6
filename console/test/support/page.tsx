import { render } from "preact";
import { expect, vi } from "vitest";
import { type Answer, answerWith, connectTabs, SECRET, until } from "./service.ts";

connectTabs();
// The session reads the key when it is loaded.
localStorage.setItem("engram.key", SECRET);
const { App } = await import("../../src/app.tsx");
const { route } = await import("../../src/route.ts");

let root: HTMLElement;

export function showRoot(): void {
  root = document.body.appendChild(document.createElement("div"));
}

export function removeRoot(): void {
  render(null, root);
  root.remove();
  vi.unstubAllGlobals();
}

/** Opens a place as the page does, with a service that answers so. @returns The requests of the page, in order. */
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

export const text = (selector: string) => document.querySelector(selector)?.textContent ?? "";
