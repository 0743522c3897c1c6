const PORTS = ["", "443", "8443"];
const INTERNAL = [".local", ".localhost", ".internal", ".home.arpa", ".lan", ".test", ".onion"];

/**
 * Why events may not be sent to a URL; null if they may.
 *
 * This refuses what no public receiver needs. The address that a name resolves to is not known here: Cloudflare reaches
 * no private network, and a local start checks the address before it connects.
 *
 * @param ownHosts names of this service.
 */
export function refusalOf(text: string, ownHosts: readonly string[] = []): string | null {
  if (!URL.canParse(text)) return "must be a URL";
  // The parser also turns other forms of an address, such as `0x7f000001`, into the usual one.
  const url = new URL(text);
  const host = url.hostname.replace(/\.$/, "");
  if (url.protocol !== "https:") return "must begin with https://";
  if (url.username !== "" || url.password !== "") return "must not have a user name or a password";
  if (url.hash !== "") return "must not have a fragment";
  if (!PORTS.includes(url.port)) return "must have the port 443 or 8443";
  if (host.startsWith("[") || /^[0-9.]+$/.test(host)) return "must have a host name, not an address";
  // Resolvers may leave out an empty label, as in `localhost..`.
  if (!host.includes(".") || host.split(".").includes("") || INTERNAL.some((end) => `.${host}`.endsWith(end)))
    return "must have a public host name";
  if (ownHosts.includes(host)) return "must not be this service";
  return null;
}
