import { StartError } from "../start/start-error.ts";

export interface EndpointAddress {
  /** The complete URL to which requests are sent. */
  url: string;
  model: string;
  apiKey: string | undefined;
}

/** One of the two OpenAI-compatible endpoints that the environment can configure. */
export interface EndpointKind {
  /** Prefix of its environment variables. */
  prefix: "ENGRAM_EMBEDDINGS" | "ENGRAM_ENRICHMENT";
  /** Path of the endpoint after the version, `/v1`. */
  path: "/embeddings" | "/chat/completions";
}

/**
 * Read the environment variables …_URL, …_MODEL and …_API_KEY. Undefined without a URL. An empty variable counts as
 * unset.
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
 * Completes the URL in …_URL, as most clients do. To a URL without a path, `/v1` and the path of the endpoint are
 * added. To a URL with a path, such as `/v1`, the path of the endpoint is added. A URL that ends with it is used as
 * it is.
 *
 * @throws {StartError} If the value is not an http(s) URL, or contains a password. The message does not repeat the
 *   value.
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
 * @throws {StartError} If the key has characters that a header cannot contain. The message does not repeat the key.
 */
function parseApiKey(value: string, prefix: EndpointKind["prefix"]): string {
  const key = value.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new StartError(`${prefix}_API_KEY holds blanks or characters that no key has.`);
}
