import { signal } from "@preact/signals";

/** A place in the console. It is kept in the fragment of the URL, which no browser sends to a server. */
export interface Route {
  /** Segments of the path, decoded: `["conversations", "conv_…"]`. Empty for the overview. */
  path: string[];
  query: URLSearchParams;
}

export type Query = Record<string, string | readonly string[] | undefined>;

/** The sign-in code of the link that opened the page, until it is used. */
export const signInCode = signal<string | null>(null);

/** With what the page on which members sign in has returned, until that is read. */
export const signInAnswer = signal<URLSearchParams | null>(null);

export const route = signal<Route>(readAddress());

addEventListener("hashchange", () => {
  route.value = readAddress();
});

/** Codes leave the address at once, so that the history of the browser does not have them. */
function readAddress(): Route {
  const answer = new URLSearchParams(location.search);
  if (answer.has("state")) {
    history.replaceState(null, "", `${location.pathname}#/`);
    signInAnswer.value = answer;
  }
  const code = /^#\/sign-in\/(engram_(?:code|invite)_\w+)$/.exec(location.hash)?.[1];
  if (code !== undefined) {
    history.replaceState(null, "", "#/");
    signInCode.value = code;
  }
  return parse(location.hash);
}

function parse(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#/, "").split(/\?(.*)/s);
  return { path: path.split("/").filter(Boolean).map(decoded), query: new URLSearchParams(query) };
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Link to a place, for `href`. Empty values are left out. */
export function linkTo(path: readonly string[], query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().flatMap((each) => (each === "" ? [] : [[name, each]])),
  );
  const search = pairs.length === 0 ? "" : `?${new URLSearchParams(pairs)}`;
  return `#/${path.map(encodeURIComponent).join("/")}${search}`;
}

/** Goes to a place, as a click on a link does. The same place is a new route, too, so that its screen can scroll there. */
export function goTo(path: readonly string[], query: Query = {}): void {
  const link = linkTo(path, query);
  if (location.hash === link) route.value = readAddress();
  else location.hash = link;
}

/** Goes to a place instead of the current one, to which Back does not return then. */
export function replaceWith(path: readonly string[], query: Query = {}): void {
  history.replaceState(null, "", linkTo(path, query));
  route.value = readAddress();
}
