import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { ArchiveManifest, ArchivePart, ExportLine } from "@engram/sdk";
import { CommandError } from "./command-error.ts";
import { writeThrough } from "./file-outputs.ts";
import { splitLines } from "./importers/text-lines.ts";
import { COUNTED_AS, noLines } from "./line-kinds.ts";
import { oneLine } from "./output.ts";

const NUMBER_DIGITS = 7;

export const manifestFile = (directory: string): string => join(directory, "manifest.json");

const partFile = (directory: string, { number }: ArchivePart): string =>
  join(directory, `${String(number).padStart(NUMBER_DIGITS, "0")}.ndjson.gz`);

/** @throws {CommandError} if the directory has no manifest of an archive. */
export function readManifest(directory: string): ArchiveManifest {
  try {
    const manifest = JSON.parse(readFileSync(manifestFile(directory), "utf8")) as ArchiveManifest;
    if (Array.isArray(manifest.parts) && typeof manifest.id === "string") return manifest;
  } catch (error) {
    if (!(error instanceof SyntaxError) && (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  throw new CommandError(
    `${oneLine(directory)} has no manifest.json of an archive. Get one with \`engram archive get\`.`,
  );
}

/** Writes the lines of a part, which replace those of an interrupted run. @throws {CommandError} if they are others. */
export async function writePart(
  directory: string,
  part: ArchivePart,
  lines: AsyncIterable<string>,
): Promise<void> {
  const hash = createHash("sha256");
  const texts = async function* () {
    for await (const line of lines) {
      const text = `${line}\n`;
      hash.update(text);
      yield text;
    }
    const sha256 = hash.digest("hex");
    if (sha256 !== part.sha256)
      throw new CommandError(
        `Part ${part.number} has the SHA-256 ${sha256}, but the archive says ${part.sha256}.`,
      );
  };
  await writeThrough(partFile(directory, part), (target) =>
    pipeline(texts, createGzip(), target, { end: false }),
  );
}

/** Whether the directory has the part, and it is whole. */
export async function hasPart(directory: string, part: ArchivePart): Promise<boolean> {
  return existsSync(partFile(directory, part)) && (await digestOf(directory, part)) === part.sha256;
}

/** SHA-256 of a part's lines; null if the file is damaged. */
async function digestOf(directory: string, part: ArchivePart): Promise<string | null> {
  const hash = createHash("sha256");
  try {
    await pipeline(createReadStream(partFile(directory, part)), createGunzip(), hash);
    return hash.digest("hex");
  } catch {
    return null;
  }
}

/** The lines of all parts as text, in order, with the last one, which has the counts. */
export async function* readLines(directory: string, { parts }: ArchiveManifest): AsyncGenerator<string> {
  for (const part of parts) {
    const lines = splitLines(createReadStream(partFile(directory, part)).pipe(createGunzip()));
    for await (const line of lines) if (line !== "") yield line;
  }
}

/** What is wrong with the files of an archive; empty if nothing is. */
export async function verifyFiles(directory: string, manifest: ArchiveManifest): Promise<string[]> {
  if (manifest.completed_at === null) return ["The archive is not complete."];
  const problems: string[] = [];
  for (const part of manifest.parts) {
    if (!existsSync(partFile(directory, part))) problems.push(`Part ${part.number} is missing.`);
    else if (!(await hasPart(directory, part))) problems.push(`Part ${part.number} is damaged or changed.`);
  }
  if (problems.length > 0) return problems;
  const counts = noLines();
  let last: ExportLine | undefined;
  for await (const text of readLines(directory, manifest)) {
    last = JSON.parse(text) as ExportLine;
    if (last.type !== "end") counts[COUNTED_AS[last.type]] += 1;
  }
  if (last?.type !== "end" || !last.complete) problems.push("The last line is not the end of an export.");
  for (const name of Object.keys(counts) as (keyof typeof counts)[])
    if (counts[name] !== manifest.counts[name])
      problems.push(`It has ${counts[name]} ${name}, but the manifest says ${manifest.counts[name]}.`);
  return problems;
}
