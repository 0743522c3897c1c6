import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What the data directory knows of earlier starts' embedding models. */
export class EmbeddingMemory {
  readonly #file: string;

  constructor(dataPath: string) {
    this.#file = join(dataPath, "embeddings.json");
  }

  read(key: string): unknown {
    return this.#readAll()[key];
  }

  isEmpty(): boolean {
    return Object.keys(this.#readAll()).length === 0;
  }

  write(key: string, value: string | number): void {
    const content = JSON.stringify({ ...this.#readAll(), [key]: value });
    writeFileSync(`${this.#file}.new`, `${content}\n`, { mode: 0o600 });
    renameSync(`${this.#file}.new`, this.#file);
  }

  #readAll(): Record<string, unknown> {
    try {
      return { ...JSON.parse(readFileSync(this.#file, "utf8")) };
    } catch {
      return {};
    }
  }
}
