import { StartError } from "../start/start-error.ts";

/** Where and as whom an endpoint is asked. */
export interface EndpointAddress {
  /** What is asked is posted here. */
  url: string;
  model: string;
  apiKey: string | undefined;
}

/** An OpenAI-compatible endpoint that Engram can be pointed at. */
export interface EndpointKind {
  /** What the names of its variables begin with. */
  prefix: "ENGRAM_EMBEDDINGS" | "ENGRAM_ENRICHMENT";
  /** What it serves, after the version. */
  path: "/embeddings" | "/chat/completions";
}

/**
 * The endpoint that the variables …_URL, …_MODEL and …_API_KEY name; undefined without a URL. Empty is unset.
 *
 * @throws {StartError} When they contradict each other or themselves.
 */
export function readEndpoint(
  env: Record<string, string | undefined>,
  { prefix, path }: EndpointKind,
): EndpointAddress | undefined {
  const url = env[`${prefix}_URL`] || undefined;
  const model = env[`${prefix}_MODEL`] || undefined;
  const apiKey = env[`${prefix}_API_KEY`] || undefined;
  if (url === undefined) return undefined;
  if (model === undefined) {
    throw new StartError(
      `${prefix}_URL needs ${prefix}_MODEL, too: the name that the endpoint has for its model.`,
    );
  }
  return {
    apiKey: apiKey === undefined ? undefined : parseApiKey(apiKey, prefix),
    url: parseUrl(url, { prefix, path }),
    model,
  };
}

/** An endpoint as people are told of it, without its query, where secrets may be. */
export function shownUrl({ url }: EndpointAddress): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/**
 * Where an endpoint is asked, from what …_URL holds.
 *
 * As most clients read a base URL: a host alone gets `/v1` and the path, a path such as `/v1` gets the path,
 * and one that ends so already stays as it is.
 *
 * @throws {StartError} When it is no http(s) URL or holds a password, which is not repeated.
 */
function parseUrl(value: string, { prefix, path: served }: EndpointKind): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new StartError(`${prefix}_URL must be an http or https URL, such as http://localhost:11434/v1`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new StartError(`${prefix}_URL must not hold a user or password: put a key into ${prefix}_API_KEY.`);
  }
  const path = url.pathname.replace(/\/+$/, "");
  url.hash = "";
  if (path === "") url.pathname = `/v1${served}`;
  else url.pathname = path.endsWith(served) ? path : path + served;
  return url.href;
}

/** @throws {StartError} For a key that no header can carry, which is not repeated. */
function parseApiKey(value: string, prefix: EndpointKind["prefix"]): string {
  const key = value.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new StartError(`${prefix}_API_KEY holds blanks or characters that no key has.`);
}
