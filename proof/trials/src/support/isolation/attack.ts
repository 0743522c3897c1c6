import type { Random } from "../../../../support/random.ts";
import { difference, normalized } from "./answers.ts";
import { type Case, describeCase, isGiven, isTakenFirst, isWrite } from "./cases.ts";
import type { Operation } from "./operations.ts";
import type { Owners } from "./owners.ts";
import type { Own } from "./recipes.ts";
import { type Answer, type Parts, withValue } from "./requester.ts";
import type { Kind, Slot } from "./slots.ts";
import { partsOf, recipeOf, type Tenant } from "./tenants.ts";
import { unknownValueLike } from "./unknown-values.ts";

/** Characters of a response that a report shows. */
const SHOWN = 300;
export interface Outcome {
  /** Attacker and victim. */
  pair: Case["pairs"][number];
  /** Broken promises, one sentence each. */
  broken: string[];
  /** Response for the victim's value. */
  foreignAnswer: Answer;
  /** Response for a value that does not exist; null when it was known already. */
  unknownAnswer: Answer | null;
  /**
   * How the two responses differ, as a sentence; null when they are alike. Concurrent writes can make them
   * differ too.
   */
  differs: string | null;
}

/** Runs cases, and remembers for each case and attacker the response for a value that does not exist. */
export class Attacks {
  readonly #owners: Owners;
  readonly #due = new Map<string, string>();

  constructor(owners: Owners) {
    this.#owners = owners;
  }

  /**
   * Run a case with the victim's value, whose response must equal that for a value that does not exist.
   *
   * @param options.isFresh Request the latter even when its response is known.
   */
  async run(one: Case, random: Random, { isFresh }: { isFresh: boolean }): Promise<Outcome> {
    const pair = random.pick(one.pairs);
    const [attacker, victim] = pair;
    const name = `${attacker.name}: ${describeCase(one)}`;
    const broken: string[] = [];
    const theirs = await choose(one, victim, this.#owners, random);
    const nobodys = theirs.map(([kind, value]): [Kind, unknown] => [
      kind,
      unknownValueLike(value, kind, random),
    ]);
    const ask = async (values: [Kind, unknown][]) => {
      const answer = await askWith(one, attacker, values, this.#owners);
      broken.push(...whatIsWrong(one, attacker, values, answer, this.#owners));
      return answer;
    };
    const isKnown = !isFresh && this.#due.has(name);
    // In random order, so that warm caches favor neither.
    const before = !isKnown && random.next() < 0.5 ? await ask(nobodys) : null;
    const foreignAnswer = await ask(theirs);
    const unknownAnswer = before ?? (isKnown ? null : await ask(nobodys));
    if (unknownAnswer !== null) this.#due.set(name, normalized(unknownAnswer));
    const [got, due] = [normalized(foreignAnswer), this.#due.get(name) ?? ""];
    const isAlike = got === due || isAllowedToDiffer(one);
    return {
      pair,
      broken: broken.map((what) => `${name} ${what}`),
      foreignAnswer,
      unknownAnswer,
      differs: isAlike ? null : `${name} differs: ${difference(got, due)}`,
    };
  }
}

async function choose(one: Case, victim: Tenant, owners: Owners, random: Random): Promise<[Kind, unknown][]> {
  const { operation, filled } = one;
  const sample = random.pick(victim.samples);
  const chosen: [Kind, unknown][] = [];
  for (const { slot, kind } of filled) {
    if (kind === "cursor") {
      const cursors = victim.cursors.get(operation.id) ?? [...victim.cursors.values()].flat();
      chosen.push([kind, random.pick(cursors)]);
    } else if (isTakenFirst(operation, { slot, kind })) {
      chosen.push([kind, await takeFirst(one, victim, slot, kind, owners, random)]);
    } else chosen.push([kind, sample[kind as keyof typeof sample]]);
  }
  return chosen;
}

/** Let the victim use a name that the attacker uses afterwards. @returns The name. */
async function takeFirst(
  { operation, way, variant }: Case,
  victim: Tenant,
  slot: Slot,
  kind: Kind,
  owners: Owners,
  random: Random,
): Promise<unknown> {
  const value = unknownValueLike("", kind, random);
  owners.note(JSON.stringify(value), victim);
  const own = await spend(operation, victim);
  const parts = withValue(partsOf(operation, own, variant, kind), slot, value);
  owners.note(JSON.stringify(parts), victim);
  const { status, text } = await victim.requester.send(way, operation, parts);
  if (status >= 300) throw new Error(`${operation.id} by ${victim.name} was answered ${status}: ${text}`);
  owners.note(text, victim);
  return value;
}

/** Send the request with these values in the case's slots and the attacker's own values elsewhere. */
async function askWith(
  { operation, way, variant, filled }: Case,
  attacker: Tenant,
  values: readonly [Kind, unknown][],
  owners: Owners,
): Promise<Answer> {
  // A request with a foreign id in its path changes none of the attacker's data.
  const isOnOthers = filled.some(({ slot }) => slot.at === "path");
  const own = isOnOthers ? attacker.own : await spend(operation, attacker);
  let parts: Parts = partsOf(operation, own, variant, filled[0]?.kind ?? null);
  for (const [i, { slot }] of filled.entries()) {
    parts = withValue(parts, slot, values[i]?.[1]);
    if (isGiven(operation, slot)) owners.allow(attacker, JSON.stringify(values[i]));
  }
  // A tool's response omits some written values, and an export shows them to the whole organization.
  if (isWrite(operation)) owners.note(JSON.stringify(parts), attacker);
  return attacker.requester.send(way, operation, parts);
}

/** The owner's values, with new ones for everything that the operation consumes. */
export async function spend(operation: Operation, { requester, own }: Tenant): Promise<Own> {
  return { ...own, ...(await recipeOf(operation).spends?.(requester)) };
}

function whatIsWrong(
  one: Case,
  attacker: Tenant,
  values: readonly [Kind, unknown][],
  answer: Answer,
  owners: Owners,
): string[] {
  const { status, headers, text } = answer;
  const all = `${headers}\n${text}`;
  const leaks = owners.leaks(all, attacker, JSON.stringify(values));
  // A read may show new data whose owner has not received its response yet, so only writes are recorded.
  if (isWrite(one.operation)) owners.note(all, attacker);
  return [
    ...(leaks.length === 0 ? [] : [`answered ${leaks.join(", ")}: ${text.slice(0, SHOWN)}`]),
    ...(status < 500 ? [] : [`was answered ${status}: ${text.slice(0, SHOWN)}`]),
  ];
}

/** Whether two responses may differ, and are both correct. */
function isAllowedToDiffer(one: Case): boolean {
  const [{ kind } = { kind: null }] = one.filled;
  // Other words match other items of the attacker, and another position has other items after it.
  return kind === "text" || kind === "position";
}
