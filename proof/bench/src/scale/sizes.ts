import { UsageError } from "../command/options.ts";

/** Organizations in each place, and messages of each of them. */
export interface Size {
  organizations: number;
  messages: number;
}

/** Sizes that are measured one after the other with the same service and organizations, to which more are added. */
export type Growth = readonly Size[];

/**
 * Reads sizes such as `1x1000,10x1000,1x100000`. A size with as many messages as the one before it adds organizations to
 * it; any other begins anew.
 *
 * @throws {UsageError}
 */
export function readSizes(option: string, given: string): Growth[] {
  const growths: Size[][] = [];
  for (const text of given.split(",")) {
    const [, organizations, messages] = /^([1-9]\d*)x([1-9]\d*)$/.exec(text) ?? [];
    if (organizations === undefined)
      throw new UsageError(`${option} must be sizes such as "10x1000,1x100000", not "${given}"`);
    const size = { organizations: Number(organizations), messages: Number(messages) };
    const before = growths.at(-1)?.at(-1);
    const isMore = before?.messages === size.messages && before.organizations < size.organizations;
    if (isMore) growths.at(-1)?.push(size);
    else growths.push([size]);
  }
  return growths;
}
