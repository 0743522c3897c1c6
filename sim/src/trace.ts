import { createHash } from "node:crypto";

/** What happened in a run, as lines to be read and as a hash to be compared. */
export class Trace {
  readonly #hash = createHash("sha256");
  readonly lines: string[] = [];

  /** `detail` counts for the hash and is not shown. */
  note(atMs: number, line: string, detail = ""): void {
    const stamped = `${(atMs / 1_000).toFixed(3).padStart(9)} ${line}`;
    this.#hash.update(`${stamped}\n${detail}\n`);
    this.lines.push(stamped);
  }

  /** Of everything so far; the trace takes nothing more afterwards. */
  digest(): string {
    return this.#hash.digest("hex");
  }
}
