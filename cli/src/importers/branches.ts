import { type Entry, leftOut } from "./importer.ts";
import { conversationId, messageId, type SourceMessage, type Thread, toEntries } from "./threads.ts";
import { present } from "./values.ts";

/** A conversation of an export. Edited or regenerated messages give it several branches. */
export interface Tree {
  /** The product that the export is from, such as "chatgpt". */
  source: string;
  id: string;
  title?: string | undefined;
  createdAtMs: number;
  metadata: Record<string, unknown>;
  place: string;
}

export interface Step {
  id: string;
  /** Null or an unknown id for a first step. */
  parent: string | null;
  /** Undefined if the step has no message, or one that cannot be stored. */
  message: Omit<SourceMessage, "sequence"> | undefined;
}

interface Branch {
  /**
   * Id of the branch's first step. Null for the branch that begins with the first root and then always
   * follows the first child.
   */
  id: string | null;
  /** The branch that the product shows. It is stored with all its messages. */
  isCurrent: boolean;
  /**
   * The message that this branch continues. Undefined for the current branch, and for one that starts at the
   * root.
   */
  from: { branchId: string | null; messageId: string; atMs: number } | undefined;
  messages: SourceMessage[];
}

/**
 * The steps of a branch: its first step, the first child of that, the first child of that child, and so on.
 */
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
 * Yields one conversation for each branch.
 *
 * A first child continues its parent's branch. Every other child starts a new branch, which has the id of
 * that child. The sequence number of a message is its depth in the tree. Branch ids and sequence numbers stay
 * the same when the tree grows, so a later import of the same chat adds to the conversations that exist.
 *
 * The path from the root to `current`, the last step that the product shows, is stored with all its messages.
 * Other branches leave out messages on that path, so that a search finds each message once, and name the
 * message that they continue. After a later import with a different `current`, messages on both paths exist
 * twice.
 */
export function* toBranchEntries(
  tree: Tree,
  steps: Map<string, Step>,
  current: string | undefined,
): Generator<Entry, void, undefined> {
  const branches = toBranches(steps, current);
  // If the conversation has no time, it gets that of its first message, which is the same in every export.
  const first = [...steps.values()].find(
    ({ message }) => message !== undefined && !Number.isNaN(message.atMs),
  );
  const createdAtMs = tree.createdAtMs || (first?.message?.atMs ?? Number.NaN);
  if (branches.length === 0) yield leftOut("conversation", "no messages", tree.place);
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
    title: isCurrent ? title : title && `${title} (branch)`,
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
  // If the export names no current step, the product shows the branch of first children.
  const end = placed.get(current ?? "") ?? chains[0]?.steps.at(-1);
  const shown = new Set(wayTo(end));
  return chains.flatMap((chain) => {
    const isCurrent = chain === end?.chain;
    const branchSteps = isCurrent
      ? [...[...shown].reverse(), ...chain.steps.filter((item) => !shown.has(item))]
      : chain.steps.filter((item) => !shown.has(item));
    const messages = branchSteps.flatMap(toSourceMessages);
    if (messages.length === 0) return [];
    const first = branchSteps.find(({ step }) => step.message !== undefined);
    const before = isCurrent ? undefined : lastWithMessage(first?.before);
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
  // The list begins with the roots. It also contains all steps, because no root leads to steps in a cycle.
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
    sequence: (before?.sequence ?? 0) + (step.message === undefined ? 0 : 1),
    atMs: step.message?.atMs || before?.atMs || Number.NaN,
    chain,
    before,
  };
}

function* wayTo(end: Placed | undefined): Generator<Placed> {
  for (let at = end; at !== undefined; at = at.before) yield at;
}

function lastWithMessage(at: Placed | undefined): Placed | undefined {
  for (const step of wayTo(at)) if (step.step.message !== undefined) return step;
  return undefined;
}

const toSourceMessages = ({ step: { message }, sequence, atMs }: Placed): SourceMessage[] =>
  message === undefined ? [] : [{ ...message, sequence, atMs }];
