import { cpus } from "node:os";
import { resolve } from "node:path";
import type { ServiceProcess } from "../../../support/service-process.ts";
import { installPeer, peerVersions } from "../command/packages.ts";
import type { SpeedArgs, SystemName } from "./args.ts";
import type { AtOnce, AtOnceSizes } from "./at-once.ts";
import { openEmbedder } from "./embedder.ts";
import { checkEmpty } from "./engram.ts";
import { lineMatrix } from "./exact.ts";
import type { Measurement } from "./figures.ts";
import { toGoals } from "./goals.ts";
import { measureLarge } from "./large.ts";
import type { BareInserts } from "./limits.ts";
import { isPeer, type MeasuredRound, measurePeer, measurePeerAtOnce, PEERS, type Sizes } from "./peers.ts";
import type { FrequentRequests } from "./requests.ts";
import {
  measureEngram,
  measureMemories,
  measureOwnAtOnce,
  measureRemote,
  OWN,
  startSpeedService,
} from "./service.ts";
import {
  summarizeAtOnce,
  summarizeInserts,
  summarizeLarge,
  summarizeRequests,
  summarizeRounds,
} from "./summary.ts";
import { makeWorkload } from "./workload.ts";

export interface SpeedOptions {
  progress(text: string): void;
  /** Called with a cleanup to run if the benchmark is interrupted. */
  onStart(stop: () => Promise<void>): void;
  /** Ends the measurement early. */
  signal: AbortSignal;
}

const ROOT = resolve(import.meta.dirname, "../../../..");

const SIZES = { singles: 500, queries: 200, warmUps: 50, calls: 100 };
const APPENDS = { warmUps: 10, measured: 100 };

/** Measure every requested system, one after the other, for the requested number of rounds. */
export async function runSpeed(
  args: Pick<SpeedArgs, "systems" | "messages" | "rounds" | "remote" | "onlyAtOnce">,
  options: SpeedOptions,
): Promise<Measurement> {
  const all: Sizes & AtOnceSizes = { messages: args.messages, ...SIZES };
  const { remote, onlyAtOnce } = args;
  if (remote !== undefined) await checkEmpty(remote);
  const rounds = new Map<SystemName, MeasuredRound[]>();
  const atOnce = new Map<SystemName, AtOnce[]>();
  const inserts: BareInserts[] = [];
  const requests: FrequentRequests[] = [];
  const restBytes: number[] = [];
  const skipped: Measurement["skipped"] = [];
  const embedder = openEmbedder();
  const workload = makeWorkload(all);
  const matrix = lineMatrix(workload.talks, embedder);
  let windows = 0;
  const own = { workload, matrix, embedder, singles: all.singles };
  const memories = (progress: (text: string) => void) =>
    withService(options, (service) => measureMemories(service, { ...own, progress }));
  const engram = async (progress: (text: string) => void) => {
    const measured = await withService(options, (service) => measureEngram(service, { ...own, progress }));
    inserts.push(measured.inserts);
    requests.push(measured.requests);
    restBytes.push(measured.restBytes);
    windows = measured.windows;
    return measured.round;
  };
  const one = (name: SystemName, progress: (text: string) => void): Promise<MeasuredRound> =>
    isPeer(name)
      ? measurePeer(name, all, options, progress)
      : remote === undefined
        ? { engram, memories }[name](progress)
        : measureRemote(name, remote, { ...own, progress }, options.signal);
  const measured = args.systems.filter((name) => !onlyAtOnce || calledBy(name) !== undefined);
  const installed = await installPeers(measured, skipped, options);
  for (let number = 1; number <= args.rounds; number++) {
    for (const name of installed) {
      const progress = (text: string) => options.progress(`round ${number}, ${name}: ${text}`);
      try {
        if (!onlyAtOnce) addTo(rounds, name, await one(name, progress));
        if (remote === undefined && calledBy(name) !== undefined) {
          addTo(atOnce, name, await measureSystemAtOnce(name, all, options, progress));
        }
      } catch (error) {
        skipped.push({ name, reason: `round ${number}: ${reasonOf(error)}` });
      }
      options.signal.throwIfAborted();
    }
  }
  const figures = {
    isRemote: remote !== undefined,
    machine: { cores: cpus().length, node: process.version, platform: `${process.platform} ${process.arch}` },
    ...all,
    rounds: args.rounds,
    windows,
    systems: [...rounds].map(([name, measured]) => ({ ...describe(name), ...summarizeRounds(measured) })),
    atOnce: [...atOnce].map(([name, measured]) => ({
      ...describe(name),
      called: calledBy(name) ?? "",
      ...summarizeAtOnce(measured),
    })),
    restBytes: restBytes.length === 0 ? null : Math.max(...restBytes),
    requests: requests.length === 0 ? null : summarizeRequests(requests),
    inserts: inserts.length === 0 ? null : summarizeInserts(inserts),
    large: null,
    skipped,
  };
  return { ...figures, goals: remote === undefined && !onlyAtOnce ? toGoals(figures) : [] };
}

/** Add the measurement of size effects. Keeps earlier results even when this fails. */
export async function addLarge(measurement: Measurement, options: SpeedOptions): Promise<Measurement> {
  const { queries, warmUps, skipped } = measurement;
  const progress = (text: string) => options.progress(`large: ${text}`);
  const figures = { ...measurement, skipped: [...skipped] };
  try {
    const large = await withService(options, (service) =>
      measureLarge(service, openEmbedder(), { queries, warmUps, appends: APPENDS, progress }),
    );
    figures.large = summarizeLarge(large);
  } catch (error) {
    figures.skipped.push({ name: "100,000 messages", reason: reasonOf(error) });
  }
  return { ...figures, goals: toGoals(figures) };
}

/** The systems that could be installed. */
async function installPeers(
  systems: readonly SystemName[],
  skipped: Measurement["skipped"],
  { progress }: SpeedOptions,
): Promise<SystemName[]> {
  const installed: SystemName[] = [];
  for (const name of systems) {
    try {
      progress(`installing ${name}`);
      if (isPeer(name)) await installPeer(name, PEERS[name]);
      installed.push(name);
    } catch (error) {
      skipped.push({ name, reason: reasonOf(error) });
    }
  }
  return installed;
}

async function withService<Result>(
  { onStart }: SpeedOptions,
  work: (service: ServiceProcess) => Promise<Result>,
): Promise<Result> {
  const service = await startSpeedService();
  onStart(service.stop);
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}

const measureSystemAtOnce = (
  name: SystemName,
  sizes: AtOnceSizes,
  options: SpeedOptions,
  progress: (text: string) => void,
): Promise<AtOnce> =>
  isPeer(name)
    ? measurePeerAtOnce(name, sizes, options, progress)
    : withService(options, (service) => measureOwnAtOnce(name, service, sizes, progress));

/** How clients call a system at once; undefined if they do not. */
const calledBy = (name: SystemName): string | undefined => (isPeer(name) ? PEERS[name].called : "over HTTP");

const describe = (name: SystemName) => ({
  name,
  title: isPeer(name) ? PEERS[name].title : OWN[name].title,
  versions: isPeer(name) ? peerVersions(name) : [],
});

function addTo<Figure>(figures: Map<SystemName, Figure[]>, name: SystemName, figure: Figure): void {
  figures.set(name, [...(figures.get(name) ?? []), figure]);
}

/** The error's message, without the path of this repository. */
const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replaceAll(ROOT, "…");
