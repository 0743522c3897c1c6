import { type Engram, isEngramError } from "@engram/sdk";
import type { Checkpoint } from "./checkpoint.ts";
import type { Entry, Importer } from "./importers/importer.ts";
import { COUNTED_AS, noLines } from "./line-kinds.ts";
import { Reasons } from "./reasons.ts";
import type { SourceFile } from "./sources.ts";

export interface Stored {
  created: number;
  /** Only for notes: messages never change. */
  updated?: number;
  existing: number;
}

export interface Import {
  readonly counts: {
    read: Record<string, number>;
    /** Without lines that an earlier, interrupted run sent. */
    stored: Record<string, Stored>;
    leftOut: Reasons;
    refused: Reasons;
  };
  /** Lines that an earlier, interrupted run sent. */
  readonly sentBefore: number;
  /** Progress, from 0 to 1. */
  readonly done: number;
  /** Reads and counts everything, without sending it. */
  readOnly(onProgress: () => void): Promise<void>;
  /** Rejects with the SDK's errors; `counts` then has the results so far. */
  send(engram: Engram, signal: AbortSignal, events: ImportEvents): Promise<void>;
}

export interface ImportEvents {
  resumed(lines: number): void;
  progress(): void;
}

export class ConversationImport implements Import {
  readonly counts = {
    read: noLines(),
    stored: {
      conversations: { created: 0, existing: 0 },
      messages: { created: 0, existing: 0 },
      memories: { created: 0, existing: 0 },
    },
    leftOut: new Reasons(),
    refused: new Reasons(),
  };
  sentBefore = 0;
  readonly #importer: Importer;
  readonly #sources: SourceFile[];
  readonly #checkpoint: Checkpoint;

  constructor(importer: Importer, sources: SourceFile[], checkpoint: Checkpoint) {
    this.#importer = importer;
    this.#sources = sources;
    this.#checkpoint = checkpoint;
  }

  get done(): number {
    const read = this.#sources.reduce((sum, source) => sum + source.bytesRead(), 0);
    const all = this.#sources.reduce((sum, { bytes }) => sum + bytes, 0);
    return read / Math.max(all, 1);
  }

  async readOnly(onProgress: () => void): Promise<void> {
    for await (const _ of this.#lines()) onProgress();
  }

  /**
   * Resumes an interrupted import, or starts a new one. Saves the id of the service's operation as soon as it
   * is known, so that this import can be resumed too.
   */
  async send(engram: Engram, signal: AbortSignal, events: ImportEvents): Promise<void> {
    const operationId = await this.#findInterrupted(engram, signal);
    let isResuming = operationId !== undefined;
    const places = new Map<number, string>();
    let answered = 0;
    let problemsShown = 0;
    const lines = async function* (all: AsyncIterable<Line>) {
      let number = 0;
      for await (const { line, place } of all) {
        number += 1;
        if (number > answered) places.set(number, place);
        yield line;
        events.progress();
      }
    };
    await engram.import(lines(this.#lines()), {
      signal,
      operationId,
      onProgress: ({ lines, problems, operation_id, ...stored }) => {
        if (isResuming && lines > 0) {
          this.sentBefore = lines;
          events.resumed(lines);
        }
        isResuming = false;
        for (const { line, code, detail } of problems.slice(problemsShown)) {
          this.counts.refused.add(`${detail} (${code})`, places.get(line) ?? `line ${line}`);
        }
        problemsShown = problems.length;
        while (answered < lines) places.delete(++answered);
        this.counts.stored = stored;
        if (operation_id !== null) this.#checkpoint.save(operation_id);
      },
    });
    this.#checkpoint.remove();
  }

  /**
   * Id of the operation to resume. Undefined if none is saved, if it has ended, or if the key cannot read it.
   * The import then starts from the beginning.
   */
  async #findInterrupted(engram: Engram, signal: AbortSignal): Promise<string | undefined> {
    const { operationId } = this.#checkpoint;
    if (operationId === null) return undefined;
    try {
      const { status } = await engram.operations.get(operationId, { signal });
      return status === "running" ? operationId : undefined;
    } catch (error) {
      const isUnreadable =
        isEngramError(error) && "code" in error && (error.code === "not_found" || error.code === "forbidden");
      if (isUnreadable) return undefined;
      throw error;
    }
  }

  async *#lines(): AsyncGenerator<Line, void, undefined> {
    const { read, leftOut } = this.counts;
    for (const source of this.#sources) {
      for await (const entry of this.#importer(source)) {
        if (entry.type === "left out") {
          leftOut.add(entry.reason, entry.place);
          continue;
        }
        read[COUNTED_AS[entry.type]] += 1;
        yield entry;
      }
    }
  }
}

type Line = Exclude<Entry, { type: "left out" }>;
