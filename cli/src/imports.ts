import { type Engram, isEngramError } from "@engram/sdk";
import type { Checkpoint } from "./checkpoint.ts";
import type { Entry, Importer } from "./importers/importer.ts";
import { COUNTED_AS, noLines } from "./line-kinds.ts";
import { Reasons } from "./reasons.ts";
import type { SourceFile } from "./sources.ts";

/** What came of all of one kind that was sent. */
export interface Stored {
  created: number;
  /** Of what may change; what was said does not. */
  updated?: number;
  existing: number;
}

/** An import under way, of conversations or of notes. */
export interface Import {
  readonly counts: {
    /** What was read of the files, by kind, in the order in which they come. */
    read: Record<string, number>;
    /** What came of it, but for lines that an interrupted import had sent before. */
    stored: Record<string, Stored>;
    /** What importers left out. */
    leftOut: Reasons;
    /** What the service refused. */
    refused: Reasons;
  };
  /** Lines that an interrupted import had sent before, and this one does not send. */
  readonly sentBefore: number;
  /** How much of all files is done, 0 to 1. */
  readonly done: number;
  /** Read everything and send nothing. */
  readOnly(onProgress: () => void): Promise<void>;
  /** Send what is not there yet. Rejects as the SDK's calls do; what was answered for until then is kept. */
  send(engram: Engram, signal: AbortSignal, events: ImportEvents): Promise<void>;
}

/** What is told of an import under way. */
export interface ImportEvents {
  /** Once, before anything is sent: it goes on behind so many lines of an interrupted one. */
  resumed(lines: number): void;
  progress(): void;
}

/** Reads files into lines and sends them, one file after the other. */
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

  /** Send what the interrupted import has not, if there is one, and keep which import it is. */
  async send(engram: Engram, signal: AbortSignal, events: ImportEvents): Promise<void> {
    const operationId = await this.#findInterrupted(engram, signal);
    let isResuming = operationId !== undefined;
    /** Of the lines that are not answered for, by number, to tell where a refused one stands. */
    const places = new Map<number, string>();
    let answered = 0;
    let told = 0;
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
        for (const { line, code, detail } of problems.slice(told)) {
          this.counts.refused.add(`${detail} (${code})`, places.get(line) ?? `line ${line}`);
        }
        told = problems.length;
        while (answered < lines) places.delete(++answered);
        this.counts.stored = stored;
        if (operation_id !== null) this.#checkpoint.save(operation_id);
      },
    });
    this.#checkpoint.remove();
  }

  /**
   * The operation of the interrupted import. Undefined when there is none that goes on, or none that the key may
   * read: an import that begins anew finds there what is there.
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
