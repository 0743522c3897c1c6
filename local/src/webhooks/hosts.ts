import { isIP } from "node:net";
import { StartError } from "../start/start-error.ts";

const NAME = /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/;

/**
 * The hosts in `ENGRAM_WEBHOOK_HOSTS`, each a name or `name:port`, separated by commas.
 *
 * @throws {StartError} For an address or a pattern. A name that is allowed may have several addresses, each of which is
 * checked, and a pattern could allow more names than were meant.
 */
export function readWebhookHosts(value: string | undefined): string[] {
  const hosts = (value ?? "").split(",").map((host) => host.trim().toLowerCase());
  return hosts
    .filter((host) => host !== "")
    .map((host) => {
      const url = URL.canParse(`http://${host}`) ? new URL(`http://${host}`) : undefined;
      const [, name = "", port = "0"] = /^([^:]*)(?::(\d{1,5}))?$/.exec(host) ?? [];
      const isName = NAME.test(name) && url?.hostname === name && isIP(name) === 0;
      if (isName && Number(port) <= 65_535) return host;
      throw new StartError(
        `ENGRAM_WEBHOOK_HOSTS has "${host}". It must have host names, such as hooks.lan or receiver.lan:8080, and no addresses or patterns.`,
      );
    });
}

/** Whether a URL's host is one of these. The service has checked the port of a name that is here without one. */
export function isListed({ protocol, hostname, port }: URL, hosts: readonly string[]): boolean {
  const usualPort = protocol === "https:" ? "443" : "80";
  return hosts.includes(hostname) || hosts.includes(`${hostname}:${port || usualPort}`);
}
