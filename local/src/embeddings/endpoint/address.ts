import { StartError } from "../../start/start-error.ts";
import type { EndpointAddress } from "./calls.ts";

/**
 * Where texts are posted to, from what ENGRAM_EMBEDDINGS_URL holds.
 *
 * As most clients read a base URL: a host alone gets `/v1/embeddings`, a path such as `/v1` gets
 * `/embeddings`, and a path that ends so already stays as it is.
 *
 * @throws {StartError} When it is no http(s) URL or holds a password, which is not repeated.
 */
export function parseEndpointUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new StartError(
      "ENGRAM_EMBEDDINGS_URL must be an http or https URL, such as http://localhost:11434/v1",
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new StartError(
      "ENGRAM_EMBEDDINGS_URL must not hold a user or password: put a key into ENGRAM_EMBEDDINGS_API_KEY.",
    );
  }
  const path = url.pathname.replace(/\/+$/, "");
  url.hash = "";
  if (path === "") url.pathname = "/v1/embeddings";
  else url.pathname = path.endsWith("/embeddings") ? path : `${path}/embeddings`;
  return url.href;
}

/** @throws {StartError} For a key that no header can carry, which is not repeated. */
export function parseApiKey(value: string): string {
  const key = value.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new StartError("ENGRAM_EMBEDDINGS_API_KEY holds blanks or characters that no key has.");
}

/** An endpoint as people are told of it, without its query, where secrets may be. */
export function shownUrl({ url }: EndpointAddress): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
