const REDRAW = "\r\x1b[2K";
const MEGABYTE = 1_000_000;
const QUARTER = 0.25;

export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface ProgressLine {
  show(loadedBytes: number, totalBytes: number): void;
  end(): void;
}

/**
 * A line that shows how far a download is. If the first report says 100 %, nothing is shown, because the
 * files were not downloaded but there already.
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
