import { StartError } from "../start/start-error.ts";

export interface EndpointAddress {
  /** Complete URL for POST requests. */
  url: string;
  model: string;
  apiKey: string | undefined;
}

/** An OpenAI-compatible endpoint that the configuration can name. */
export interface EndpointKind {
  /** Prefix of its environment variables. */
  prefix: "ENGRAM_EMBEDDINGS" | "ENGRAM_ENRICHMENT";
  /** Path after the version. */
  path: "/embeddings" | "/chat/completions";
}

/**
 * Read the variables …_URL, …_MODEL and …_API_KEY; undefined without a URL. An empty variable is unset.
 *
 * @throws {StartError} When a value is invalid or values contradict each other.
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

/** The URL to show to people, without its query, which may contain secrets. */
export function shownUrl({ url }: EndpointAddress): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/**
 * Complete the base URL in …_URL, as most clients do.
 *
 * A host alone gets `/v1` and the path. A path such as `/v1` gets the path appended. A URL that already ends
 * with the path is unchanged.
 *
 * @throws {StartError} When it is not an http(s) URL or contains a password. The message omits the value
 *   then.
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

/** @throws {StartError} When no header can carry the key. The message omits the key. */
function parseApiKey(value: string, prefix: EndpointKind["prefix"]): string {
  const key = value.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new StartError(`${prefix}_API_KEY holds blanks or characters that no key has.`);
}
