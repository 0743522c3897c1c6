import { lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";

/** Ranges that are not reachable over the internet, or that lead back to this machine or its network. */
const V4_BLOCKED = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"],
  ...["192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15"],
  ...["198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4"],
];
/** Of IPv6 only this range is public, apart from the blocked ones: Teredo, documentation and 6to4. */
const V6_PUBLIC = "2000::/3";
const V6_BLOCKED = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

/** Ranges of private networks and of this machine, which a host that the operator allows may be in. */
const PRIVATE = [
  ...["10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"],
  ...["::1/128", "fc00::/7"],
];
/** Addresses in these ranges at which clouds serve the credentials of a machine. The others are link-local. */
const METADATA = ["100.100.100.200/32", "fd00:ec2::/32", "fd20:ce::/32"];

const blocked = new BlockList();
const publicV6 = new BlockList();
const privateRanges = new BlockList();
const metadata = new BlockList();
for (const [list, ranges] of [
  [privateRanges, PRIVATE],
  [metadata, METADATA],
] as const)
  for (const range of ranges) addRange(list, range, range.includes(":") ? "ipv6" : "ipv4");
for (const range of V4_BLOCKED) addRange(blocked, range, "ipv4");
for (const range of V6_BLOCKED) addRange(blocked, range, "ipv6");
addRange(publicV6, V6_PUBLIC, "ipv6");

function addRange(list: BlockList, range: string, family: "ipv4" | "ipv6"): void {
  const [network = "", prefix] = range.split("/");
  list.addSubnet(network, Number(prefix), family);
}

/** Whether an address is one of the internet. IPv4 in a form of IPv6 is not. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !blocked.check(address, "ipv4");
  return isIP(address) === 6 && publicV6.check(address, "ipv6") && !blocked.check(address, "ipv6");
}

/** Whether a host that the operator allows may have an address: one of the internet or of a private network. */
export function isReceiverAddress(address: string): boolean {
  const family = isIP(address) === 4 ? "ipv4" : "ipv6";
  const isPrivate =
    isIP(address) !== 0 && privateRanges.check(address, family) && !metadata.check(address, family);
  return isPrivate || isPublicAddress(address);
}

export class AddressRefused extends Error {}

type Resolve = (
  name: string,
  options: { all: true },
  callback: (error: Error | null, found: { address: string; family: number }[]) => void,
) => void;

/**
 * A lookup that fails if any address of a name is not allowed. Node connects to the addresses that it gives, and does
 * not resolve the name again, so a name cannot change its address after the check (DNS rebinding).
 */
export const checkedLookup =
  (isAllowed = isPublicAddress, resolve: Resolve = lookup): LookupFunction =>
  (name, options, callback) =>
    resolve(name, { all: true }, (error, found) => {
      const refused = error ?? refusalOf(name, found, isAllowed);
      const [first] = found ?? [];
      if (refused !== null || first === undefined)
        callback(refused ?? new AddressRefused(`${name} has no address`), "", 0);
      else if (options.all) callback(null, found);
      else callback(null, first.address, first.family);
    });

function refusalOf(
  name: string,
  found: { address: string }[],
  isAllowed: (address: string) => boolean,
): Error | null {
  return found.every(({ address }) => isAllowed(address))
    ? null
    : new AddressRefused(`${name} has an address that is not allowed`);
}
