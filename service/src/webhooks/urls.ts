const PORTS = ["", "443", "8443"];
const INTERNAL = [".local", ".localhost", ".internal", ".home.arpa", ".lan", ".test", ".onion"];
const PLAIN_PORT = "80";
const SECURE_PORT = "443";

/**
 * Why events may not be sent to a URL; null if they may.
 *
 * This refuses what no public receiver needs. The address that a name resolves to is not known here: Cloudflare reaches
 * no private network, and a local start checks the address before it connects.
 *
 * @param names.own names of this service.
 * @param names.allowed hosts that the operator allows, as `WEBHOOK_HOSTS` has them.
 */
export function refusalOf(
  text: string,
  { own = [], allowed }: { own?: readonly string[]; allowed: string },
): string | null {
  if (!URL.canParse(text)) return "must be a URL";
  // The parser also turns other forms of an address, such as `0x7f000001`, into the usual one.
  const url = new URL(text);
  const host = url.hostname.replace(/\.$/, "");
  if (url.protocol !== "https:" && url.protocol !== "http:") return "must begin with https://";
  if (url.username !== "" || url.password !== "") return "must not have a user name or a password";
  if (url.hash !== "") return "must not have a fragment";
  if (host.startsWith("[") || /^[0-9.]+$/.test(host)) return "must have a host name, not an address";
  if (isAllowed(url, allowed)) return null;
  if (url.protocol !== "https:") return "must begin with https://";
  if (!PORTS.includes(url.port)) return "must have the port 443 or 8443";
  // Resolvers may leave out an empty label, as in `localhost..`.
  if (!host.includes(".") || host.split(".").includes("") || INTERNAL.some((end) => `.${host}`.endsWith(end)))
    return "must have a public host name";
  if (own.includes(host)) return "must not be this service";
  return null;
}

/** Whether the operator allows the host. A name without a port allows the usual ports. There are no patterns. */
function isAllowed({ protocol, hostname, port }: URL, allowed: string): boolean {
  const usualPort = protocol === "https:" ? SECURE_PORT : PLAIN_PORT;
  const names = allowed.split(",").map((name) => name.trim().toLowerCase());
  return (
    names.includes(`${hostname}:${port || usualPort}`) || (PORTS.includes(port) && names.includes(hostname))
  );
}
