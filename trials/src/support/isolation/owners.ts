import { MARKERS } from "../sentences.ts";

/** Whose something is: an organization's, or one agent's of it. */
export interface Owner {
  organization: number;
  /** Null for what belongs to no agent; only keys that are bound to none see that. */
  agent: string | null;
}

/** In place of an agent: what every key of the organization may see. */
export const EVERYBODY = "";

/** An id of the service's. Whatever else is somebody's has a marker in it. */
const ID = /\b(?:org|conv|msg|mem|op|key|chk|evt)_[0-9a-z]{20}\b/g;

/** The ids and markers in a text. */
export function thingsIn(text: string): string[] {
  return [...new Set([...text.matchAll(ID), ...text.matchAll(MARKERS)].map(([found]) => found))];
}

/** Whose every id and marker is that was ever seen. */
export class Owners {
  readonly #owners = new Map<string, Owner>();
  readonly #said = new Map<Owner, Set<string>>();

  /** All that nobody owns yet in this text is `owner`'s. */
  note(text: string, owner: Owner): void {
    for (const thing of thingsIn(text)) if (!this.#owners.has(thing)) this.#owners.set(thing, owner);
  }

  /** `who` has written this into its own data, whosever it was: whoever sees that may be answered it from now on. */
  allow(who: Owner, text: string): void {
    const said = this.#said.get(who) ?? new Set();
    for (const thing of thingsIn(text)) said.add(thing);
    this.#said.set(who, said);
  }

  /** What of others' stands in an answer to `who`, beyond what was asked for by its name. */
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

/** Whether something is in sight of a key. */
export function isSeenBy(owner: Owner, who: Owner): boolean {
  if (owner.organization !== who.organization) return false;
  return who.agent === null || owner.agent === who.agent || owner.agent === EVERYBODY;
}
