import type { Random } from "../../../../bench/src/chats/random.ts";
import { difference, normalized } from "./answers.ts";
import { type Answer, type Parts, withValue } from "./asker.ts";
import { type Case, describeCase, isGiven, isTakenFirst, isWithin, isWrite } from "./cases.ts";
import type { Operation } from "./operations.ts";
import type { Owners } from "./owners.ts";
import { type Party, partsOf, recipeOf } from "./parties.ts";
import type { Own } from "./recipes.ts";
import type { Kind, Slot } from "./slots.ts";
import { strangerTo } from "./strangers.ts";

/** What these make has an external id that no other conversation of the organization has. */
const NAMED_ONCE = new Set(["createConversation", "forkConversation"]);
/** Characters of an answer that a report repeats. */
const SHOWN = 300;
/** What came of an attempt. */
export interface Outcome {
  /** Who tried it on whom. */
  pair: Case["pairs"][number];
  /** What broke, a sentence each. */
  broken: string[];
  /** To what is another's. */
  foreign: Answer;
  /** To what is nobody's; null when that was known. */
  strange: Answer | null;
  /** How the two differ, a sentence; null when they are alike. What is written meanwhile may part them, too. */
  differs: string | null;
}

/** Tries cases, and remembers for each and every attacker how what is nobody's is answered. */
export class Attacks {
  readonly #owners: Owners;
  readonly #due = new Map<string, string>();

  constructor(owners: Owners) {
    this.#owners = owners;
  }

  /**
   * Try a case with what is another's, which must be answered as what is nobody's.
   * @param options.isFresh ask for what is nobody's even when its answer is known.
   */
  async run(one: Case, random: Random, { isFresh }: { isFresh: boolean }): Promise<Outcome> {
    const pair = random.pick(one.pairs);
    const [attacker, victim] = pair;
    const name = `${attacker.name}: ${describeCase(one)}`;
    const broken: string[] = [];
    const theirs = await choose(one, victim, this.#owners, random);
    const nobodys = theirs.map(([kind, value]): [Kind, unknown] => [kind, strangerTo(value, kind, random)]);
    const ask = async (values: [Kind, unknown][]) => {
      const answer = await askWith(one, attacker, values, this.#owners);
      broken.push(...whatIsWrong(one, attacker, values, answer, this.#owners));
      return answer;
    };
    const isKnown = !isFresh && this.#due.has(name);
    // Turn about, so that neither is the one that finds everything warm.
    const before = !isKnown && random.next() < 0.5 ? await ask(nobodys) : null;
    const foreign = await ask(theirs);
    const strange = before ?? (isKnown ? null : await ask(nobodys));
    if (strange !== null) this.#due.set(name, normalized(strange));
    const [got, due] = [normalized(foreign), this.#due.get(name) ?? ""];
    const isAlike = got === due || isAllowedToDiffer(one, foreign, due);
    return {
      pair,
      broken: broken.map((what) => `${name} ${what}`),
      foreign,
      strange,
      differs: isAlike ? null : `${name} differs: ${difference(got, due)}`,
    };
  }
}

/** What of the victim's goes into the places of a case. */
async function choose(one: Case, victim: Party, owners: Owners, random: Random): Promise<[Kind, unknown][]> {
  const { operation, filled } = one;
  const exhibit = random.pick(victim.exhibits);
  const chosen: [Kind, unknown][] = [];
  for (const { slot, kind } of filled) {
    if (kind === "cursor") {
      const cursors = victim.cursors.get(operation.id) ?? [...victim.cursors.values()].flat();
      chosen.push([kind, random.pick(cursors)]);
    } else if (isTakenFirst(operation, { slot, kind })) {
      chosen.push([kind, await takeFirst(one, victim, slot, kind, owners, random)]);
    } else chosen.push([kind, exhibit[kind as keyof typeof exhibit]]);
  }
  return chosen;
}

/** Let the victim do with a name what the attacker is about to do with the same. @returns The name. */
async function takeFirst(
  { operation, way, variant }: Case,
  victim: Party,
  slot: Slot,
  kind: Kind,
  owners: Owners,
  random: Random,
): Promise<unknown> {
  const value = strangerTo("", kind, random);
  owners.note(JSON.stringify(value), victim);
  const own = await spend(operation, victim);
  const parts = withValue(partsOf(operation, own, variant, kind), slot, value);
  owners.note(JSON.stringify(parts), victim);
  const { status, text } = await victim.asker.ask(way, operation, parts);
  if (status >= 300) throw new Error(`${operation.id} by ${victim.name} was answered ${status}: ${text}`);
  owners.note(text, victim);
  return value;
}

/** Ask with these values in the places of a case, and with the attacker's own in all others. */
async function askWith(
  { operation, way, variant, filled }: Case,
  attacker: Party,
  values: readonly [Kind, unknown][],
  owners: Owners,
): Promise<Answer> {
  // Whatever has another's thing in its path changes nothing of the attacker's.
  const isOnOthers = filled.some(({ slot }) => slot.at === "path");
  const own = isOnOthers ? attacker.own : await spend(operation, attacker);
  let parts: Parts = partsOf(operation, own, variant, filled[0]?.kind ?? null);
  for (const [i, { slot }] of filled.entries()) {
    parts = withValue(parts, slot, values[i]?.[1]);
    if (isGiven(operation, slot)) owners.allow(attacker, JSON.stringify(values[i]));
  }
  // A tool answers less than what was written, and an export tells it to the whole organization.
  if (isWrite(operation)) owners.note(JSON.stringify(parts), attacker);
  return attacker.asker.ask(way, operation, parts);
}

/** What its owner has, with what the operation uses up made anew. */
export async function spend(operation: Operation, { asker, own }: Party): Promise<Own> {
  return { ...own, ...(await recipeOf(operation).spends?.(asker)) };
}

function whatIsWrong(
  one: Case,
  attacker: Party,
  values: readonly [Kind, unknown][],
  answer: Answer,
  owners: Owners,
): string[] {
  const { status, headers, text } = answer;
  const all = `${headers}\n${text}`;
  const leaks = owners.leaks(all, attacker, JSON.stringify(values));
  // Of what a read answers, somebody else may not have heard yet that it is theirs.
  if (isWrite(one.operation)) owners.note(all, attacker);
  return [
    ...(leaks.length === 0 ? [] : [`answered ${leaks.join(", ")}: ${text.slice(0, SHOWN)}`]),
    ...(status < 500 ? [] : [`was answered ${status}: ${text.slice(0, SHOWN)}`]),
  ];
}

/** Whether two answers cannot be alike, and are as they have to be. */
function isAllowedToDiffer(one: Case, foreign: Answer, due: string): boolean {
  const [{ kind } = { kind: null }] = one.filled;
  // Other words find other things of one's own, and after another place others of them follow.
  if (kind === "text" || kind === "position") return true;
  // It is unique in the whole organization, so that its being taken cannot be hidden from an agent's key.
  const isTaken = NAMED_ONCE.has(one.operation.id) && kind === "external_id" && isWithin(one);
  return isTaken && foreign.text.includes("external_id_conflict") && !due.includes("conflict");
}
