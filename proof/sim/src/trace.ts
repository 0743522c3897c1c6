import { createHash } from "node:crypto";

/** Events of a run, as readable lines and as a hash. */
export class Trace {
  readonly #hash = createHash("sha256");
  readonly lines: string[] = [];
  readonly #isKept: boolean;

  constructor(isKept: boolean) {
    this.#isKept = isKept;
  }

  /** `detail` counts for the hash and is not shown. */
  note(atMs: number, line: string, detail = ""): void {
    if (!this.#isKept) return;
    const stamped = `${(atMs / 1_000).toFixed(3).padStart(9)} ${line}`;
    this.#hash.update(`${stamped}\n${detail}\n`);
    this.lines.push(stamped);
  }

  /** Hash of all events so far. No event can be added afterwards. */
  digest(): string {
    return this.#hash.digest("hex");
  }
}
