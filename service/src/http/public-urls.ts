import type { Context } from "hono";
import type { AppEnv, Env } from "../invocation.ts";

const withoutSlash = ({ href }: URL): string => href.replace(/\/$/, "");

/** The URLs of `PUBLIC_URLS`, without those that are not valid. */
const listedUrls = ({ PUBLIC_URLS = "" }: Pick<Env, "PUBLIC_URLS">): URL[] =>
  PUBLIC_URLS.split(",").flatMap((text) => URL.parse(text.trim()) ?? []);

/** Hosts of the URLs at which proxies serve the service. */
export const publicHosts = (env: Pick<Env, "PUBLIC_URLS">): string[] =>
  listedUrls(env).map(({ host }) => host);

/**
 * URL of the service as the client of a request knows it, without a slash at its end.
 *
 * Behind a proxy, it is made up of `X-Forwarded-Proto`, `X-Forwarded-Host` and `X-Forwarded-Prefix`. Any client can send
 * these headers, so they count only if they make up one of `PUBLIC_URLS`.
 */
export function publicUrl(c: Context<AppEnv>): string {
  const { origin, protocol, host } = new URL(c.req.url);
  // A proxy behind another one adds its value at the end.
  const forwarded = (name: string) => c.req.header(`x-forwarded-${name}`)?.split(",")[0]?.trim();
  const scheme = forwarded("proto") ?? protocol.replace(":", "");
  const requestedHost = forwarded("host") ?? c.req.header("host") ?? host;
  const url = URL.parse(`${scheme}://${requestedHost}${forwarded("prefix") ?? ""}`);
  const isListed = url !== null && listedUrls(c.env).some((each) => withoutSlash(each) === withoutSlash(url));
  return isListed ? withoutSlash(url) : origin;
}

/**
 * Path from the page of a request to the root of the service, with a slash at its end. Pages link with relative paths,
 * because a proxy may serve them under any path.
 */
export function pathToRoot(c: Context<AppEnv>): string {
  const { pathname } = new URL(c.req.url);
  return "../".repeat(pathname.split("/").length - 2) || "./";
}
