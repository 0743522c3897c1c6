import { type Engram, isEngramError } from "@engram/sdk";
import type { Checkpoint } from "./checkpoint.ts";
import { isDamage } from "./compression.ts";
import type { Importer } from "./importers/formats.ts";
import { type Entry, type Missing, notUnderstood, UNKNOWN_TIME } from "./importers/importer.ts";
import { Sessions } from "./importers/sessions.ts";
import { COUNTED_AS, noLines } from "./line-kinds.ts";
import { projectOf } from "./projects.ts";
import { fileType, Reasons } from "./reasons.ts";
import type { SourceFile, Sources } from "./sources.ts";
import { ServiceSessions } from "./stored-sessions.ts";

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
    notUnderstood: Reasons;
    refused: Reasons;
    /** Items that were deleted with `forget`. */
    forgotten: Reasons;
  };
  /** Lines that an earlier, interrupted run sent. */
  readonly sentBefore: number;
  /** Whether a damaged file was read only in part, or not at all. */
  readonly isIncomplete: boolean;
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
      memory_versions: { created: 0, existing: 0 },
      recalls: { created: 0, existing: 0 },
    },
    leftOut: new Reasons(),
    notUnderstood: new Reasons(),
    refused: new Reasons(),
    forgotten: new Reasons(),
  };
  sentBefore = 0;
  isIncomplete = false;
  readonly #importer: Importer;
  readonly #sources: SourceFile[];
  readonly #checkpoint: Checkpoint;
  readonly #expiresAt: string | undefined;

  /** @param expiresAt when the conversations are deleted that the import creates. */
  constructor(
    importer: Importer,
    { sources, others }: Sources,
    checkpoint: Checkpoint,
    expiresAt?: string | undefined,
  ) {
    this.#importer = importer;
    this.#sources = sources;
    this.#checkpoint = checkpoint;
    this.#expiresAt = expiresAt;
    for (const { name, reason } of others) this.counts.leftOut.add(fileType(name), reason, name);
  }

  get done(): number {
    const read = this.#sources.reduce((sum, source) => sum + source.bytesRead(), 0);
    const all = this.#sources.reduce((sum, { bytes }) => sum + bytes, 0);
    return read / Math.max(all, 1);
  }

  async readOnly(onProgress: () => void): Promise<void> {
    for await (const _ of this.#lines(new Sessions())) onProgress();
  }

  /**
   * Resumes an interrupted import, or starts a new one. Saves the id of the service's operation as soon as it
   * is known, so that this import can be resumed too.
   */
  async send(engram: Engram, signal: AbortSignal, events: ImportEvents): Promise<void> {
    const operationId = await this.#findInterrupted(engram, signal);
    let isResuming = operationId !== undefined;
    const stored = new ServiceSessions(engram, signal);
    const timed = new UnknownTimes((id) => stored.createdAt(id));
    const sent = new Map<number, Line>();
    let answered = 0;
    let problemsShown = 0;
    let skippedShown = 0;
    let existingElsewhere = 0;
    const lines = async function* (all: AsyncIterable<Line>) {
      let number = 0;
      for await (const entry of all) {
        number += 1;
        const line = await timed.resolve(entry.line);
        if (number > answered) sent.set(number, { ...entry, line: "" });
        yield line;
        events.progress();
      }
    };
    await engram.import(lines(this.#lines(new Sessions(stored))), {
      signal,
      operationId,
      onProgress: ({ lines, problems, skipped, operation_id, ...counts }) => {
        if (isResuming && lines > 0) {
          this.sentBefore = lines;
          events.resumed(lines);
        }
        isResuming = false;
        for (const { line, code, detail } of problems.slice(problemsShown)) {
          const { type = "line", place = `line ${line}`, isNamedByContent } = sent.get(line) ?? {};
          if (isNamedByContent && detail === SAME_ID) existingElsewhere += 1;
          else this.counts.refused.add(type, `${detail} (${code})`, place);
        }
        problemsShown = problems.length;
        for (const { line } of skipped.slice(skippedShown)) {
          const { type = "line", place = `line ${line}` } = sent.get(line) ?? {};
          this.counts.forgotten.add(type, FORGOTTEN, place);
        }
        skippedShown = skipped.length;
        while (answered < lines) sent.delete(++answered);
        const { messages } = counts;
        this.counts.stored = {
          ...counts,
          messages: { ...messages, existing: messages.existing + existingElsewhere },
        };
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

  async *#lines(sessions: Sessions): AsyncGenerator<Line, void, undefined> {
    const { read } = this.counts;
    for await (const entry of this.#entries(sessions)) {
      if ("reason" in entry) {
        addMissing(this.counts, entry);
        continue;
      }
      read[COUNTED_AS[entry.type]] += 1;
      yield { ...entry, line: withExpiry(withProject(entry.line), this.#expiresAt) };
    }
  }

  /** A damaged file does not end the import of the others. */
  async *#entries(sessions: Sessions): AsyncGenerator<Entry, void, undefined> {
    for (const source of this.#sources) {
      try {
        yield* this.#importer(source, sessions);
      } catch (error) {
        if (!isDamage(error)) throw error;
        this.isIncomplete = true;
        yield notUnderstood(
          fileType(source.path),
          "damaged: it cannot be decompressed to its end",
          source.name,
        );
      }
    }
  }
}

export function addMissing(
  { leftOut, notUnderstood }: Pick<Import["counts"], "leftOut" | "notUnderstood">,
  { type, what, reason, place }: Missing,
): void {
  (type === "left out" ? leftOut : notUnderstood).add(what, reason, place);
}

/** Why the service skipped an item. */
export const FORGOTTEN = "deleted with forget, or its user was";

/**
 * The service's answer for a message whose id another message has. If the id is derived from the content, that is the
 * same message, stored in another conversation or by an earlier version of this program.
 */
const SAME_ID = "A different message has this id.";

type Line = Exclude<Entry, Missing>;

/** Adds the project to the metadata of a coding agent's session, so that it can be filtered by. */
function withProject(line: Line["line"]): Line["line"] {
  if (typeof line === "string" || line.type !== "conversation") return line;
  const { directory } = line.metadata;
  if (typeof directory !== "string") return line;
  return { ...line, metadata: { ...line.metadata, project: projectOf(directory) } };
}

const withExpiry = (line: Line["line"], expires_at: string | undefined): Line["line"] =>
  expires_at === undefined || typeof line === "string" || line.type !== "conversation"
    ? line
    : { ...line, expires_at };

/** Fills in the times that the source does not name. */
class UnknownTimes {
  readonly #createdAt: (conversationId: string) => Promise<string | undefined>;
  readonly #now = new Date().toISOString();
  /** The time of the conversation whose messages are read. */
  #current = this.#now;

  constructor(createdAt: (conversationId: string) => Promise<string | undefined>) {
    this.#createdAt = createdAt;
  }

  /** The stored time of the conversation, or else the time of the import, so that each import yields the same line. */
  async resolve(line: Line["line"]): Promise<Line["line"]> {
    if (typeof line === "string" || line.created_at !== UNKNOWN_TIME) return line;
    if (line.type === "memory_version") return line;
    if (line.type === "memory") return { ...line, created_at: this.#now, updated_at: this.#now };
    if (line.type === "message") return { ...line, created_at: this.#current, stored_at: this.#current };
    this.#current = (await this.#createdAt(line.id)) ?? this.#now;
    const updated_at = line.updated_at === UNKNOWN_TIME ? this.#current : line.updated_at;
    return { ...line, created_at: this.#current, updated_at };
  }
}
