import { type Entry, leftOut } from "./importer.ts";
import { conversationId, messageId, type Said, type Thread, toEntries } from "./threads.ts";
import { present } from "./values.ts";

/** A conversation in a vendor's file, which may have branches. */
export interface Tree {
  /** The vendor's name. */
  source: string;
  /** The vendor's id. */
  id: string;
  title: string | null;
  createdAtMs: number;
  metadata: Record<string, unknown>;
  place: string;
}

/** A step of a conversation that may have been edited or regenerated. */
export interface Step {
  id: string;
  /** The preceding step; null, or an unknown id, for a first one. */
  parent: string | null;
  /** The message; undefined for a step without one. Its sequence is derived from the tree. */
  said: Omit<Said, "sequence"> | undefined;
}

/** A path through the tree that is stored as one conversation. */
interface Branch {
  /** Id of its first step; null for the branch that follows the first child from the root. */
  id: string | null;
  /** Whether this is the branch that the vendor shows, which is stored in full. */
  isCurrent: boolean;
  /**
   * The message that this branch continues, and the branch that contains it; undefined for a branch that
   * starts at the root.
   */
  from: { branchId: string | null; messageId: string; atMs: number } | undefined;
  messages: Said[];
}

interface Chain {
  id: string | null;
  steps: Placed[];
}
interface Placed {
  step: Step;
  sequence: number;
  atMs: number;
  chain: Chain;
  before: Placed | undefined;
}

/**
 * Turn a tree into lines: one conversation per branch, with each message in exactly one of them.
 *
 * A first child continues its parent's branch; every other child starts a branch with the child's id. A
 * message's sequence is its depth in the tree. Both stay the same when the tree grows, so that importing it
 * again extends its conversations and adds new ones.
 *
 * The path to `current` is stored in full, as the vendor shows it. Other branches omit the messages on that
 * path, so that a search finds each message once, and refer to the message that they continue. If a later
 * import has another `current`, it stores that path in full too, and messages on both paths exist twice.
 */
export function* toBranchEntries(
  tree: Tree,
  steps: Map<string, Step>,
  current: string | undefined,
): Generator<Entry, void, undefined> {
  const branches = toBranches(steps, current);
  // Fall back to the time of the first message, which does not change between exports.
  const first = [...steps.values()].find(({ said }) => said !== undefined && !Number.isNaN(said.atMs));
  const createdAtMs = tree.createdAtMs || (first?.said?.atMs ?? Number.NaN);
  if (branches.length === 0) yield leftOut("conversation without messages", tree.place);
  for (const branch of branches) yield* toEntries(toThread({ ...tree, createdAtMs }, branch));
}

function toThread(tree: Tree, { id, isCurrent, from, messages }: Branch): Thread {
  const { source, title, createdAtMs, place } = tree;
  const named = (branchId: string | null) => ({
    externalId: [source, tree.id, ...(branchId === null ? [] : [branchId])].join(":"),
    createdAtMs,
  });
  const parent = from && named(from.branchId);
  return {
    ...named(id),
    title: isCurrent || title === null ? title : `${title} (branch)`,
    tags: isCurrent ? [source] : [source, "branch"],
    metadata: present({
      source,
      source_id: tree.id,
      branch_of: parent && conversationId(parent),
      branch_after: parent && messageId(parent, { id: from.messageId, atMs: from.atMs }),
      ...tree.metadata,
    }),
    place,
    messages,
  };
}

function toBranches(steps: Map<string, Step>, current: string | undefined): Branch[] {
  const { chains, placed } = toChains(steps);
  // Without a current step, the branch of first children is shown.
  const end = placed.get(current ?? "") ?? chains[0]?.steps.at(-1);
  const shown = new Set(wayTo(end));
  return chains.flatMap((chain) => {
    const isCurrent = chain === end?.chain;
    const told = isCurrent
      ? [...[...shown].reverse(), ...chain.steps.filter((item) => !shown.has(item))]
      : chain.steps.filter((item) => !shown.has(item));
    const messages = told.flatMap(toSaid);
    if (messages.length === 0) return [];
    const first = told.find(({ step }) => step.said !== undefined);
    const before = isCurrent ? undefined : lastSaid(first?.before);
    const from = before && {
      branchId: (shown.has(before) ? end : before)?.chain.id ?? null,
      messageId: before.step.id,
      atMs: before.atMs,
    };
    return [{ id: chain.id, isCurrent, from, messages }];
  });
}

function toChains(steps: Map<string, Step>): { chains: Chain[]; placed: Map<string, Placed> } {
  const children = new Map<string | null, Step[]>([[null, []]]);
  for (const { id } of steps.values()) children.set(id, []);
  for (const step of steps.values()) (children.get(step.parent) ?? children.get(null))?.push(step);
  const chains: Chain[] = [];
  const placed = new Map<string, Placed>();
  // A stack: the roots, then all steps, to place those in a cycle, which no root reaches.
  const waiting: [Step, Placed | undefined][] = [...(children.get(null) ?? []), ...steps.values()]
    .map((step): [Step, undefined] => [step, undefined])
    .reverse();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (placed.has(next[0].id)) continue;
    const chain: Chain = { id: chains.length === 0 ? null : next[0].id, steps: [] };
    chains.push(chain);
    let [step, before]: [Step | undefined, Placed | undefined] = next;
    while (step !== undefined) {
      const at = toPlaced(step, chain, before);
      chain.steps.push(at);
      placed.set(step.id, at);
      const [first, ...others]: Step[] = (children.get(step.id) ?? []).filter(({ id }) => !placed.has(id));
      for (const other of others.reverse()) waiting.push([other, at]);
      [step, before] = [first, at];
    }
  }
  return { chains, placed };
}

function toPlaced(step: Step, chain: Chain, before: Placed | undefined): Placed {
  return {
    step,
    sequence: (before?.sequence ?? 0) + (step.said === undefined ? 0 : 1),
    atMs: step.said?.atMs || before?.atMs || Number.NaN,
    chain,
    before,
  };
}

function* wayTo(end: Placed | undefined): Generator<Placed> {
  for (let at = end; at !== undefined; at = at.before) yield at;
}

function lastSaid(at: Placed | undefined): Placed | undefined {
  for (const step of wayTo(at)) if (step.step.said !== undefined) return step;
  return undefined;
}

const toSaid = ({ step: { said }, sequence, atMs }: Placed): Said[] =>
  said === undefined ? [] : [{ ...said, sequence, atMs }];
