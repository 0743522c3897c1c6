import { MARKERS } from "../sentences.ts";

/** The owner of a value: an organization, one of its agents, or one of its users. */
export interface Owner {
  organization: number;
  /** Null for data without an agent, which only keys that are bound to no agent can see. */
  agent: string | null;
  /** Null for data without a user, which only keys that are bound to no user can see. */
  user: string | null;
}

/** In place of an agent and of a user: visible to every key of the organization. */
export const EVERYBODY = "";

/** An id of the service. Every other owned value contains a marker. */
const ID = /\b(?:org|conv|msg|mem|op|key|chk|evt)_[0-9a-z]{20}\b/g;

export function thingsIn(text: string): string[] {
  return [...new Set([...text.matchAll(ID), ...text.matchAll(MARKERS)].map(([found]) => found))];
}

/** The owner of every observed id and marker. */
export class Owners {
  readonly #owners = new Map<string, Owner>();
  readonly #said = new Map<Owner, Set<string>>();

  /** Record `owner` for everything in the text that has no owner yet. */
  note(text: string, owner: Owner): void {
    for (const thing of thingsIn(text)) if (!this.#owners.has(thing)) this.#owners.set(thing, owner);
  }

  /**
   * Record that `who` wrote these values, including foreign ones, into its own data. Responses may then
   * contain them for every key that can see this data.
   */
  allow(who: Owner, text: string): void {
    const said = this.#said.get(who) ?? new Set();
    for (const thing of thingsIn(text)) said.add(thing);
    this.#said.set(who, said);
  }

  /** Foreign ids and markers in a response to `who`, except those that the request named. */
  leaks(answer: string, who: Owner, asked: string): string[] {
    const named = new Set(thingsIn(asked));
    const said = [...this.#said].filter(([writer]) => isSeenBy(writer, who)).map(([, things]) => things);
    return thingsIn(answer).filter((thing) => {
      const owner = this.#owners.get(thing);
      const isOthers = owner !== undefined && !isSeenBy(owner, who);
      return isOthers && !named.has(thing) && !said.some((things) => things.has(thing));
    });
  }
}

/** Whether the key of `who` can see data of `owner`. */
export function isSeenBy(owner: Owner, who: Owner): boolean {
  if (owner.organization !== who.organization) return false;
  const sees = (bound: string | null, of: string | null) =>
    bound === null || of === bound || of === EVERYBODY;
  return sees(who.agent, owner.agent) && sees(who.user, owner.user);
}
