import type { Engram, ImportedLines } from "@engram/sdk";
import type { Checkpoint } from "./checkpoint.ts";
import type { Entry, Importer } from "./importers/importer.ts";
import { Reasons } from "./reasons.ts";
import type { SourceFile } from "./sources.ts";

/** How far an import is. */
export interface ImportCounts {
  /** What was read of the files. */
  read: { conversations: number; messages: number };
  /** What came of the lines that were sent, but for those that an interrupted import had sent before. */
  stored: Pick<ImportedLines, "conversations" | "messages">;
  /** What importers left out. */
  leftOut: Reasons;
  /** What the service refused. */
  refused: Reasons;
}

/** Reads files into lines and sends them, one file after the other. */
export class Import {
  readonly counts: ImportCounts = {
    read: { conversations: 0, messages: 0 },
    stored: { conversations: { created: 0, existing: 0 }, messages: { created: 0, existing: 0 } },
    leftOut: new Reasons(),
    refused: new Reasons(),
  };
  readonly #importer: Importer;
  readonly #sources: SourceFile[];

  constructor(importer: Importer, sources: SourceFile[]) {
    this.#importer = importer;
    this.#sources = sources;
  }

  /** How much of all files has been read, 0 to 1. */
  get done(): number {
    const read = this.#sources.reduce((sum, source) => sum + source.bytesRead(), 0);
    const all = this.#sources.reduce((sum, { bytes }) => sum + bytes, 0);
    return read / Math.max(all, 1);
  }

  /** Whether the files held nothing, not even what is left out. */
  get isEmpty(): boolean {
    const { read, leftOut } = this.counts;
    return read.conversations + read.messages + leftOut.list().length === 0;
  }

  /** Read everything and send nothing. */
  async readOnly(onProgress: () => void): Promise<void> {
    for await (const _ of this.#lines()) onProgress();
  }

  /**
   * Send what the checkpoint does not know as sent, and keep there how far it is.
   *
   * Rejects as the SDK's import does; what was answered for until then is kept.
   */
  async send(
    engram: Engram,
    checkpoint: Checkpoint,
    signal: AbortSignal,
    onProgress: () => void,
  ): Promise<void> {
    const before = checkpoint.lines;
    /** Of the lines that are not answered for, to tell where a refused one stands. */
    const places: string[] = [];
    let answered = 0;
    let told = 0;
    const unsent = async function* (lines: AsyncIterable<Line>) {
      let number = 0;
      for await (const { line, place } of lines) {
        number += 1;
        if (number <= before) continue;
        places.push(place);
        yield line;
        onProgress();
      }
    };
    await engram.import(unsent(this.#lines()), {
      signal,
      onProgress: ({ lines, conversations, messages, problems }) => {
        for (const { line, code, detail } of problems.slice(told)) {
          this.counts.refused.add(`${detail} (${code})`, places[line - 1 - answered] ?? `line ${line}`);
        }
        told = problems.length;
        places.splice(0, lines - answered);
        answered = lines;
        this.counts.stored = { conversations, messages };
        checkpoint.save(before + lines);
      },
    });
    checkpoint.remove();
  }

  async *#lines(): AsyncGenerator<Line, void, undefined> {
    const { read, leftOut } = this.counts;
    for (const source of this.#sources) {
      for await (const entry of this.#importer(source)) {
        if (entry.type === "left out") {
          leftOut.add(entry.reason, entry.place);
          continue;
        }
        if (entry.type === "conversation") read.conversations += 1;
        else read.messages += 1;
        yield entry;
      }
    }
  }
}

type Line = Exclude<Entry, { type: "left out" }>;
