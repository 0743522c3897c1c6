import type { Goal, Measurement, SystemFigures } from "./figures.ts";
import { PEERS } from "./peers.ts";

const APPEND_FACTOR = 20;
const SEARCH_FACTOR = 3;
const LONG_FACTOR = 1.2;
const LARGE_FACTOR = 3;
/** Below 1, because exact scores differ where windows are too long for the model and are split. */
const RECALL_LEAST = 0.99;

type Figures = Omit<Measurement, "goals">;

export function toGoals(figures: Figures): Goal[] {
  return [...appendGoals(figures), ...searchGoals(figures), ...largeGoals(figures)];
}

function appendGoals({ systems }: Figures): Goal[] {
  const engram = find(systems, "engram");
  return ["mastra", "mem0"].flatMap((name) => {
    const peer = find(systems, name);
    const times = (how: "batched" | "settled") => engram && peer && engram.appended[how] / peer.appended[how];
    return [
      atLeast(`Append at batch 50, against ${name}`, APPEND_FACTOR, times("batched")),
      atLeast(`The same until it can be found by meaning, against ${name}`, APPEND_FACTOR, times("settled")),
    ];
  });
}

function searchGoals({ systems }: Figures): Goal[] {
  const engram = find(systems, "engram");
  const memories = Object.keys(PEERS).filter((name) => PEERS[name as keyof typeof PEERS].job === "memory");
  return ["hybrid", "semantic"].flatMap((way) => {
    const search = engram?.searches[way];
    const least = search && search.emptyP50 !== null ? search.emptyP50 + search.scanP50 : undefined;
    const peers = memories.map((name) => ({ name, peer: fastest(find(systems, name)) }));
    return [
      atMost(
        `Search, ${way}, p50 against an empty request and a scan`,
        SEARCH_FACTOR,
        search && least && search.p50 / least,
      ),
      ...peers.map(({ name, peer }) =>
        atMost(`Search, ${way}, p50 against ${name}`, 1, search && peer && search.p50 / peer),
      ),
    ];
  });
}

function largeGoals({ large }: Figures): Goal[] {
  const ratio = (of: { small: number; large: number } | undefined) => of && of.large / of.small;
  const searches = (way: string) => {
    const [small, big] = [large?.searches[`small ${way}`], large?.searches[`large ${way}`]];
    return small && big && { small: small.p50, large: big.p50 };
  };
  return [
    atMost("Append of one message into 100,000 against into 100", LONG_FACTOR, ratio(large?.append)),
    atMost("The same until its vector is in", LONG_FACTOR, ratio(large?.indexed)),
    ...["hybrid", "semantic"].map((way) =>
      atMost(`Search, ${way}, p50 in 100,000 messages against in 5,000`, LARGE_FACTOR, ratio(searches(way))),
    ),
    atLeast(
      "Exact results among 100,000, semantic, recall@10",
      RECALL_LEAST,
      large?.searches["large semantic"]?.recall ?? undefined,
      "",
    ),
  ];
}

function atLeast(name: string, least: number, measured: number | undefined, unit = " ×"): Goal {
  const met = measured === undefined ? null : measured >= least;
  return { name, goal: `at least ${least}${unit}`, measured: measured ?? null, least, met };
}

function atMost(name: string, most: number, measured: number | undefined): Goal {
  const met = measured === undefined ? null : measured <= most;
  return { name, goal: `at most ${most} ×`, measured: measured ?? null, most, met };
}

const find = (systems: readonly SystemFigures[], name: string) =>
  systems.find((system) => system.name === name);

const fastest = (system: SystemFigures | undefined): number | undefined =>
  system && Math.min(...Object.values(system.searches).map(({ p50 }) => p50));
