import type { Goal, Measurement, SystemFigures } from "./figures.ts";
import { PEERS } from "./peers.ts";

const APPEND_FACTORS = { mastra: 17, mem0: 20 };
const APPENDED_SINGLY = 160;
/** A search against an empty request and a scan. */
const SEARCH_FACTORS = { hybrid: 10, semantic: 3 };
/** A search against the fastest one of a peer. */
const PEER_FACTORS = { hybrid: 1.6, semantic: 1 };
const LONG_SEARCH_FACTOR = 22;
const CONVERSATION_FACTOR = 3.5;
const CONTEXT_FACTORS = { search: 1.15, empty: 4 };
const MEGABYTE = 1e6;
const REST_MEGABYTES = 420;
const MEMORY_MEGABYTES = 550;
const LONG_FACTOR = 1.2;
const LARGE_FACTOR = 3;
/** Below 1, because exact scores differ where windows are too long for the model and are split. */
const RECALL_LEAST = 0.99;

type Figures = Omit<Measurement, "goals">;

export function toGoals(figures: Figures): Goal[] {
  return [
    ...appendGoals(figures),
    ...searchGoals(figures),
    ...requestGoals(figures),
    ...memoryGoals(figures),
    ...largeGoals(figures),
  ];
}

function appendGoals({ systems }: Figures): Goal[] {
  const engram = find(systems, "engram");
  const batches = Object.entries(APPEND_FACTORS).flatMap(([name, factor]) => {
    const peer = find(systems, name);
    const times = (how: "batched" | "settled") => engram && peer && engram.appended[how] / peer.appended[how];
    return [
      atLeast(`Append at batch 50, against ${name}`, factor, times("batched")),
      atLeast(`The same until it can be found by meaning, against ${name}`, factor, times("settled")),
    ];
  });
  const mastra = find(systems, "mastra");
  const against = engram && mastra && engram.appended.singly / mastra.appended.singly;
  return [
    atLeast("Append of one, messages a second", APPENDED_SINGLY, engram?.appended.singly, ""),
    atLeast("Append of one, against mastra", 1, against),
    ...batches,
  ];
}

function searchGoals({ systems }: Figures): Goal[] {
  const engram = find(systems, "engram");
  const memories = Object.keys(PEERS).filter((name) => PEERS[name as keyof typeof PEERS].job === "memory");
  return (["hybrid", "semantic"] as const).flatMap((way) => {
    const search = engram?.searches[way];
    const least = search && search.emptyP50 !== null ? search.emptyP50 + search.scanP50 : undefined;
    const peers = memories.map((name) => ({ name, peer: fastest(find(systems, name)) }));
    return [
      atMost(
        `Search, ${way}, p50 against an empty request and a scan`,
        SEARCH_FACTORS[way],
        search && least && search.p50 / least,
      ),
      ...peers.map(({ name, peer }) =>
        atMost(`Search, ${way}, p50 against ${name}`, PEER_FACTORS[way], search && peer && search.p50 / peer),
      ),
    ];
  });
}

const requestGoals = ({ requests }: Figures): Goal[] => [
  atMost(
    "Default search over 260 messages of 2 kB, p50 against an empty request",
    LONG_SEARCH_FACTOR,
    requests ? requests.longSearch.p50 / requests.emptyP50 : undefined,
  ),
  atMost(
    "A conversation with 100 messages, p50 against an empty request",
    CONVERSATION_FACTOR,
    requests ? requests.conversation.p50 / requests.emptyP50 : undefined,
  ),
  atMost(
    "A context, p50 against the same search",
    CONTEXT_FACTORS.search,
    requests ? requests.context.p50 / requests.sameSearch.p50 : undefined,
  ),
  atMost(
    "A context without a query, p50 against an empty request",
    CONTEXT_FACTORS.empty,
    requests ? requests.contextWithoutQuery.p50 / requests.emptyP50 : undefined,
  ),
];

function memoryGoals({ restBytes, systems }: Figures): Goal[] {
  const megabytes = (bytes: number | null | undefined) =>
    typeof bytes === "number" && Number.isFinite(bytes) ? bytes / MEGABYTE : undefined;
  return [
    atMost("Memory at rest", REST_MEGABYTES, megabytes(restBytes), " MB"),
    atMost("Memory, most", MEMORY_MEGABYTES, megabytes(find(systems, "engram")?.memoryBytes), " MB"),
  ];
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
  return { name, goal: `at least ${least}${unit}`, measured: measured ?? null, met };
}

function atMost(name: string, most: number, measured: number | undefined, unit = " ×"): Goal {
  const met = measured === undefined ? null : measured <= most;
  return { name, goal: `at most ${most}${unit}`, measured: measured ?? null, met };
}

const find = (systems: readonly SystemFigures[], name: string) =>
  systems.find((system) => system.name === name);

const fastest = (system: SystemFigures | undefined): number | undefined =>
  system && Math.min(...Object.values(system.searches).map(({ p50 }) => p50));
