import { residentBytes } from "../../../../support/memory.ts";

/** Memory of a process and its descendants at one moment. */
export interface Sample {
  seconds: number;
  /** Number of requests sent so far. */
  requests: number;
  bytes: number;
}

/** Take a sample at once, and then one every `everySeconds`, until `stop` is called. */
export function watchMemory(
  pid: number,
  everySeconds: number,
  requests: () => number,
): { samples: Sample[]; stop: () => void } {
  const startMs = performance.now();
  const samples: Sample[] = [];
  const look = () =>
    samples.push({
      seconds: (performance.now() - startMs) / 1_000,
      requests: requests(),
      bytes: residentBytes(pid),
    });
  look();
  const timer = setInterval(look, everySeconds * 1_000);
  return { samples, stop: () => clearInterval(timer) };
}

/**
 * Growth in bytes per second: the median of the slopes between any two samples (Theil and Sen). A single heap
 * just before or after its collection does not change it.
 */
export function growth(samples: readonly Pick<Sample, "seconds" | "bytes">[]): number {
  const slopes = samples.flatMap((later, i) =>
    samples.slice(0, i).map(({ seconds, bytes }) => (later.bytes - bytes) / (later.seconds - seconds)),
  );
  const rising = slopes.toSorted((a, b) => a - b);
  return rising[rising.length >> 1] ?? Number.NaN;
}
