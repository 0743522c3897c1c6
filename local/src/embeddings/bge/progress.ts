const REDRAW = "\r\x1b[2K";
const MEGABYTE = 1_000_000;
/** Where lines cannot be redrawn, one is written whenever another quarter is there. */
const QUARTER = 0.25;

/** What of standard error is used. */
export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Shows one download; to be ended however it ends. */
export interface ProgressLine {
  show(loadedBytes: number, totalBytes: number): void;
  end(): void;
}

/**
 * Shows how far a download is: on a terminal as a line that changes, elsewhere as a line a quarter.
 *
 * A download that is there already when it is first heard of is not shown.
 */
export function progressLine(what: string, output: Output): ProgressLine {
  let shownQuarter: number | undefined;
  let isOpen = false;
  return {
    show(loadedBytes, totalBytes) {
      if (shownQuarter === undefined && loadedBytes >= totalBytes) return;
      const quarter = Math.floor(loadedBytes / totalBytes / QUARTER);
      const isNew = shownQuarter === undefined || quarter > shownQuarter;
      shownQuarter = quarter;
      const percent = Math.floor((100 * loadedBytes) / totalBytes);
      const line = `${what}: ${percent} % of ${(totalBytes / MEGABYTE).toFixed(1)} MB`;
      if (output.isTTY) output.write(`${REDRAW}${line}`);
      else if (isNew) output.write(`${line}\n`);
      isOpen = output.isTTY === true;
    },
    end() {
      if (isOpen) output.write("\n");
      isOpen = false;
    },
  };
}
