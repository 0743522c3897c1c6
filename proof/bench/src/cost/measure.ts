import type { Progress } from "../../../support/progress.ts";
import { growOrganization, type Load, type Organization, type Way } from "./organization.ts";
import type { MeteredService } from "./service.ts";
import { addUp, type Taken, toUnits, toUnitsBesideSweeps, type Units } from "./units.ts";
import type { Workload } from "./workload.ts";

/**
 * Messages per append (one message, a question with its answer, and a longer stretch) and the seconds from one append
 * to the next.
 */
const WAYS = [
  { batch: 1, gapSeconds: 0.2 },
  { batch: 1, gapSeconds: 5 },
  { batch: 1, gapSeconds: 60 },
  { batch: 2, gapSeconds: 5 },
  { batch: 50, gapSeconds: 5 },
];
/** Messages stored for each batch size, and in the smallest organization searched. */
const SMALLEST = 1_000;
/** Growth factor between the organizations searched. */
const STEP = 4;
const IDLE_SWEEPS = 20;

/** Results for one batch size, including the indexing and sweeps that follow. */
export interface Appended {
  batch: number;
  gapSeconds: number;
  messages: number;
  contentBytesPerMessage: number;
  perMessage: Units;
  /** Rows written per message, by table. */
  writtenTo: Record<string, number>;
  /**
   * Largest number of D1 statements in one invocation: a request with its indexing after the response, or a
   * sweep.
   */
  statementsMost: number;
  /** Vectors in the index when all work is complete. */
  vectorsPerMessage: number;
}

export interface Searched {
  messages: number;
  perSearch: Units;
  /** The same searches, with a receipt of each. */
  perRecorded: Units;
  rowsReadP95: number;
}

/** Space used in the database for all stored messages. */
export interface Weight {
  messages: number;
  /** By table and index, largest first. */
  bytes: Record<string, number>;
}

export interface Measurement {
  workload: string;
  appended: Appended[];
  /** The same organization at increasing sizes. */
  searched: Searched[];
  /** With nothing to do. */
  perSweep: Units;
  weight: Weight;
}

/** Store, index, sweep and search, and count the resources of each. Kills the service at the end. */
export async function measure(
  workload: Workload,
  largest: number,
  service: MeteredService,
  progress: Progress,
): Promise<Measurement> {
  const loads: (Load & Way)[] = [];
  let last: Organization | undefined;
  for (const way of WAYS) {
    progress(`storing ${way.batch} at a time, every ${way.gapSeconds} s`);
    last = await growOrganization(service, workload, way);
    loads.push({ ...way, ...(await last.grow(SMALLEST)) });
  }
  const size = loads.at(-1)?.messages ?? 0;
  const searched = last === undefined ? [] : await growAndSearch(last, size, largest, progress);
  const perSweep = await measureSweeps(service);
  const sizes = [...loads.slice(0, -1).map(({ messages }) => messages), searched.at(-1)?.messages ?? 0];
  return {
    workload: workload.name,
    appended: loads.map((load) => toAppended(load, perSweep)),
    searched,
    perSweep,
    weight: {
      messages: sizes.reduce((sum, messages) => sum + messages, 0),
      bytes: Object.fromEntries([...(await service.weigh())].sort(([, a], [, b]) => b - a)),
    },
  };
}

/** Search an organization at its current size, and again after each growth. */
async function growAndSearch(
  organization: Organization,
  size: number,
  largest: number,
  progress: Progress,
): Promise<Searched[]> {
  const searched: Searched[] = [];
  for (let until = SMALLEST; ; ) {
    progress(`searching ${size} messages`);
    searched.push(toSearched(size, await organization.search(), await organization.search({ record: true })));
    until = Math.min(until * STEP, largest);
    if (size >= largest) return searched;
    progress(`storing up to ${until} messages`);
    const grown = (await organization.grow(until - size)).messages;
    if (grown === 0) return searched;
    size += grown;
  }
}

async function measureSweeps(service: MeteredService): Promise<Units> {
  const sweeps: Taken[] = [];
  for (let i = 0; i < IDLE_SWEEPS; i++) sweeps.push(await service.count(() => service.sweep()));
  return toUnits(addUp(sweeps), IDLE_SWEEPS);
}

function toAppended(load: Load & Way, perSweep: Units): Appended {
  const { batch, gapSeconds, messages, taken } = load;
  const { writtenTo, statementsMost } = taken.usage;
  return {
    batch,
    gapSeconds,
    messages,
    contentBytesPerMessage: load.contentBytes / messages,
    perMessage: toUnitsBesideSweeps(taken, perSweep, messages),
    writtenTo: Object.fromEntries(Object.entries(writtenTo).map(([table, rows]) => [table, rows / messages])),
    statementsMost,
    vectorsPerMessage: load.vectors / messages,
  };
}

function toSearched(messages: number, searches: Taken[], recorded: Taken[]): Searched {
  const rowsRead = searches.map((search) => toUnits(search, 1).rowsRead).sort((a, b) => a - b);
  return {
    messages,
    perSearch: toUnits(addUp(searches), searches.length),
    perRecorded: toUnits(addUp(recorded), recorded.length),
    rowsReadP95: rowsRead[Math.floor(0.95 * rowsRead.length)] ?? 0,
  };
}
