import { StartError } from "../start/start-error.ts";

export interface EndpointAddress {
  url: string;
  model: string;
  apiKey: string | undefined;
}

export interface EndpointKind {
  prefix: "ENGRAM_EMBEDDINGS" | "ENGRAM_ENRICHMENT";
  path: "/embeddings" | "/chat/completions";
}

/**
 * Reads the variables of an endpoint, such as ENGRAM_EMBEDDINGS_URL. Undefined if its URL is unset. An empty
 * variable counts as unset.
 *
 * @throws {StartError} If the URL or the key is invalid, or there is a URL but no model.
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

/** The URL as it is shown to the user: without the query, which may contain secrets. */
export function shownUrl({ url }: EndpointAddress): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/**
 * Completes a URL with the path of the endpoint, unless it ends with it. A URL without any path gets `/v1`
 * before that.
 *
 * @throws {StartError} If the value is not a valid URL. The message does not repeat it, because it may
 * contain a password.
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

/**
 * @throws {StartError} If the key contains a character that no key has. The message does not repeat the key.
 */
function parseApiKey(value: string, prefix: EndpointKind["prefix"]): string {
  const key = value.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new StartError(`${prefix}_API_KEY holds blanks or characters that no key has.`);
}
