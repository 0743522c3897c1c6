import { StartError } from "./start-error.ts";

/**
 * The URLs in `ENGRAM_PUBLIC_URLS`, separated by commas, at which proxies serve the service.
 *
 * @throws {StartError} For anything else than an http or https URL without user, query and fragment.
 */
export function readPublicUrls(value: string | undefined): string[] {
  const urls = (value ?? "").split(",").map((text) => text.trim());
  return urls
    .filter((text) => text !== "")
    .map((text) => {
      const url = URL.parse(text);
      if (url !== null && /^https?:$/.test(url.protocol) && url.href === url.origin + url.pathname)
        return text;
      throw new StartError(
        `ENGRAM_PUBLIC_URLS has "${text}". It must have URLs, such as https://example.com/engram, without user, query and fragment.`,
      );
    });
}
