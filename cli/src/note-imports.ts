import { createHash } from "node:crypto";
import { type Engram, isEngramError, type Memory, type NewMemory } from "@engram/sdk";
import { PAGE_ITEMS_MAX } from "@engram/sdk/limits";
import { captureAll } from "./captures.ts";
import { CommandError } from "./command-error.ts";
import { NOTES_FROM, type Note, readNote } from "./importers/obsidian.ts";
import { FORGOTTEN, type Import, type ImportEvents } from "./imports.ts";
import { fileType, Reasons } from "./reasons.ts";
import type { Notes, SourceFile } from "./sources.ts";
import { readText } from "./text-files.ts";

/** `isNamed` is true if the user gave the name with --vault. */
export interface Vault {
  name: string;
  isNamed: boolean;
}

/** A stored memory of a note that was imported before. */
interface Known {
  id: string;
  path: unknown;
  hash: string;
  /**
   * True if the note had tags when it was stored. Otherwise the memory's tags are from the service's text
   * model.
   */
  hasTags: boolean;
}

/**
 * Imports each note as a memory. The memory of a note that was imported before is found by the note's path,
 * or by its content if the note was moved.
 */
export class NoteImport implements Import {
  readonly counts = {
    read: { notes: 0 },
    stored: { notes: { created: 0, updated: 0, existing: 0 } },
    leftOut: new Reasons(),
    notUnderstood: new Reasons(),
    refused: new Reasons(),
    forgotten: new Reasons(),
  };
  /**
   * Always 0: an interrupted import is not resumed. The next import compares all notes with the stored
   * memories again.
   */
  readonly sentBefore = 0;
  readonly isIncomplete = false;
  readonly #vault: Vault;
  readonly #sources: SourceFile[];
  #bytesDone = 0;

  constructor(vault: Vault, { notes, others }: Notes) {
    this.#vault = vault;
    this.#sources = notes;
    for (const { name, reason } of others) this.counts.leftOut.add(fileType(name), reason, name);
  }

  get done(): number {
    const all = this.#sources.reduce((sum, { bytes }) => sum + bytes, 0);
    return this.#bytesDone / Math.max(all, 1);
  }

  async readOnly(onProgress: () => void): Promise<void> {
    for (const source of this.#sources) {
      await this.#read(source);
      this.#bytesDone += source.bytes;
      onProgress();
    }
  }

  /**
   * Updates the memories of changed notes before it stores new notes. If content was moved to a new note, the
   * old memory must lose it before the new one is stored, because two memories cannot have the same content.
   */
  async send(engram: Engram, signal: AbortSignal, { progress }: ImportEvents): Promise<void> {
    const known = await this.#known(engram, signal);
    const unknown: SourceFile[] = [];
    for (const source of this.#sources) {
      const note = await this.#read(source);
      const before = note && known(source.name, hashOf(note.memory.content));
      if (note !== undefined && before === undefined) unknown.push(source);
      else {
        if (note !== undefined && before !== undefined) await this.#update(engram, before, note, signal);
        this.#bytesDone += source.bytes;
      }
      progress();
    }
    const { notes } = this.counts.stored;
    for await (const captured of captureAll(engram, this.#again(unknown), signal)) {
      for (const { created, skipped, source } of captured) {
        if (skipped === undefined) notes[created ? "created" : "existing"] += 1;
        else this.counts.forgotten.add("note", FORGOTTEN, source.name);
        this.#bytesDone += source.bytes;
      }
      progress();
    }
  }

  async #read(source: SourceFile): Promise<Note | undefined> {
    const { leftOut, notUnderstood, read } = this.counts;
    const file = await readText(source.path);
    if ("flaw" in file) {
      leftOut.add("note", file.flaw, source.name);
      return undefined;
    }
    read.notes += 1;
    const note = this.#toNote(file.text, source);
    for (const flaw of note.flaws) notUnderstood.add("note", `${flaw}; kept in the text`, source.name);
    return note;
  }

  /** Reads notes again, because their texts are not kept in memory. */
  async *#again(sources: SourceFile[]): AsyncGenerator<{ memory: NewMemory; source: SourceFile }> {
    for (const source of sources) {
      const file = await readText(source.path);
      if ("text" in file) yield { memory: this.#toNote(file.text, source).memory, source };
    }
  }

  #toNote(text: string, { name, modifiedAtMs }: Pick<SourceFile, "name" | "modifiedAtMs">): Note {
    return readNote(text, { vault: this.#vault.name, path: name }, modifiedAtMs);
  }

  /**
   * Returns a function that finds the stored memory of a note: by the note's path, or else by content among
   * memories whose own note no longer exists.
   */
  async #known(engram: Engram, signal: AbortSignal) {
    const paths = new Set<unknown>(this.#sources.map(({ name }) => name));
    const byPath = new Map<unknown, Known>();
    const moved = new Map<string, Known>();
    const query = { source: NOTES_FROM, metadata: { vault: this.#vault.name }, limit: PAGE_ITEMS_MAX };
    for await (const memory of engram.memories.list(query, { signal })) {
      const known = this.#toKnown(memory);
      byPath.set(known.path, known);
      if (!paths.has(known.path)) moved.set(known.hash, known);
    }
    await this.#refuseOtherVault([...byPath.values()]);
    return (path: string, hash: string) => byPath.get(path) ?? moved.get(hash);
  }

  /**
   * Two vaults with the same name would overwrite each other's notes.
   *
   * @throws {CommandError} If the user did not name the vault, and no note has the content of one imported
   * before, or more notes have the path of one but other content.
   */
  async #refuseOtherVault(known: Known[]): Promise<void> {
    if (known.length === 0 || this.#vault.isNamed) return;
    const hashes = new Set(known.map(({ hash }) => hash));
    const paths = new Set(known.map(({ path }) => path));
    let same = 0;
    let others = 0;
    for await (const { memory, source } of this.#again(this.#sources)) {
      if (hashes.has(hashOf(memory.content))) same += 1;
      else if (paths.has(source.name)) others += 1;
    }
    if (same > 0 && same >= others) return;
    const { name } = this.#vault;
    throw new CommandError(
      `A vault "${name}" with mostly different notes was imported before. If this is another vault, name it with --vault. If its notes changed, pass --vault ${JSON.stringify(name)}.`,
    );
  }

  #toKnown({ id, content, content_hash, metadata }: Memory): Known {
    const { tags } = this.#toNote(content, { name: String(metadata.path), modifiedAtMs: 0 }).memory;
    return { id, path: metadata.path, hash: content_hash, hasTags: tags !== undefined };
  }

  async #update(
    engram: Engram,
    { id, path, hash, hasTags }: Known,
    { memory }: Note,
    signal: AbortSignal,
  ): Promise<void> {
    const { notes } = this.counts.stored;
    const { content, metadata, tags = hasTags ? [] : undefined } = memory;
    if (hashOf(content) === hash && metadata.path === path) {
      notes.existing += 1;
      return;
    }
    try {
      await engram.memories.update(id, { content, metadata, ...(tags && { tags }) }, { signal });
      notes.updated += 1;
    } catch (error) {
      if (isEngramError(error) && error.code === "forgotten") {
        this.counts.forgotten.add("note", FORGOTTEN, String(metadata.path));
        return;
      }
      if (!isEngramError(error) || error.code !== "content_conflict") throw error;
      this.counts.leftOut.add("note", "change to the content of another memory", String(metadata.path));
    }
  }
}

const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");
