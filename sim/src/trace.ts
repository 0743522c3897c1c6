import { createHash } from "node:crypto";

/** What happened in a run: the last lines to be read, and a hash over all of it to be compared. */
export class Trace {
  readonly #hash = createHash("sha256");
  readonly #lines: string[] = [];
  readonly #keep: number;

  constructor(keep: number) {
    this.#keep = keep;
  }

  /** `detail` counts for the hash and is not shown. */
  note(atMs: number, line: string, detail = ""): void {
    const stamped = `${(atMs / 1_000).toFixed(3).padStart(9)} ${line}`;
    this.#hash.update(`${stamped}\n${detail}\n`);
    this.#lines.push(stamped);
    if (this.#lines.length > 2 * this.#keep) this.#lines.splice(0, this.#keep);
  }

  get lines(): string[] {
    return this.#lines.slice(-this.#keep);
  }

  /** Of everything so far; the trace takes nothing more afterwards. */
  digest(): string {
    return this.#hash.digest("hex");
  }
}
