import type { ArchiveManifest, EndLine } from "@engram/spec";
import * as archives from "../archives/queries.ts";
import type { Invocation } from "../invocation.ts";
import { type ArchiveStore, LISTED_KEYS_MAX } from "../platform/archive-store.ts";
import { openSha256 } from "../platform/digest.ts";
import { drawRound } from "../platform/round-robin.ts";
import { batch } from "../platform/sql.ts";
import { gzip } from "../text/compression.ts";
import { endLine, readPageAfter } from "./exports.ts";
import type { ExportPage, ExportPosition } from "./exports-queries.ts";

/**
 * Time within which a run stores the object that it has announced. Cloudflare ends an invocation of a cron after 15 minutes.
 * The objects of a deleted archive are looked for until then.
 */
const WRITING_MS = 15 * 60_000;
/** For the last line, which has the counts. */
const END_BYTES = 1_024;
const PART_TYPE = "application/gzip";
const MANIFEST_TYPE = "application/json";
const NUMBER_DIGITS = 7;
const DIGEST_CHARACTERS = 16;

const prefixOf = ({ organizationId, id }: archives.ArchiveRef): string =>
  `organizations/${organizationId}/${id}/`;

/** Equal for equal lines only, so a run never overwrites the object of another part. */
export const keyOf = (
  ref: archives.ArchiveRef,
  { number, sha256 }: { number: number; sha256: string },
): string =>
  `${prefixOf(ref)}${String(number).padStart(NUMBER_DIGITS, "0")}-${sha256.slice(0, DIGEST_CHARACTERS)}.ndjson.gz`;

/**
 * Writes parts of unfinished archives, at most `parts`. A run that ends at any place leaves an archive that the next one
 * continues: a part counts once its row is stored, which is after its object. Resolves to whether more is left.
 */
export async function writeArchives(invocation: Invocation, parts: number): Promise<boolean> {
  const { archives: store, db } = invocation;
  if (store === null) return false;
  for (let part = 0; part < parts; part++) {
    const [archive] = await archives.selectOpenArchives(db, {
      round: { ...drawRound(invocation), rowsMax: 1 },
      announcedBeforeMs: announcedBeforeMs(invocation),
      limit: 1,
    });
    if (archive === undefined) return false;
    try {
      await writeStep(invocation, store, archive);
    } catch (error) {
      // It has announced itself, so that the next step takes another archive.
      invocation.log.error("archive not written", error, { archive_id: archive.id });
    }
  }
  return true;
}

/** A run that has announced itself before that is taken for dead, so that another continues the archive. */
const announcedBeforeMs = ({ runtime, limits }: Invocation): number =>
  runtime.nowMs() + WRITING_MS - limits.archiveTakeoverMs;

/** Writes one archive, at most `parts` parts of it, or until another run does. */
export async function writeArchive(
  invocation: Invocation,
  ref: archives.ArchiveRef,
  parts: number,
): Promise<void> {
  const { archives: store, db } = invocation;
  if (store === null) return;
  for (let part = 0; part < parts; part++) {
    const archive = await archives.selectOpenArchive(db, ref, announcedBeforeMs(invocation));
    if (archive === null || !(await writeStep(invocation, store, archive))) return;
  }
}

/** Writes a part, or after the last one the manifest. Resolves to false if another run has written it. */
async function writeStep(
  invocation: Invocation,
  store: ArchiveStore,
  archive: archives.OpenArchive,
): Promise<boolean> {
  const { db, runtime } = invocation;
  const untilMs = runtime.nowMs() + WRITING_MS;
  if (!(await archives.announcedWriting(db, archive, untilMs))) return false;
  if (archive.position === null) {
    await complete(invocation, store, archive, untilMs);
    return true;
  }
  const { content, part } = await readPart(invocation, archive, JSON.parse(archive.position));
  await store.put(keyOf(archive, part), content, PART_TYPE);
  return (await batch(db, archives.addedPart(archive, part, untilMs))).archive > 0;
}

/** Reads pages of an export until they fill a part. Each page is compressed before the next one is read. */
async function readPart(
  invocation: Invocation,
  archive: archives.OpenArchive,
  start: ExportPosition,
): Promise<{ content: Uint8Array; part: archives.WrittenPart }> {
  const data = { organizationId: archive.organizationId, userId: null, moment: null };
  const bytesMax = invocation.limits.archivePartBytes - END_BYTES;
  const counts: archives.LineCounts = {
    conversation: 0,
    message: 0,
    memory: 0,
    memory_version: 0,
    recall: 0,
  };
  const hash = openSha256();
  let bytes = 0;
  let position: ExportPosition | null = start;
  const read = async function* (): AsyncGenerator<Uint8Array> {
    while (position !== null) {
      const page: ExportPage = await readPageAfter(invocation, data, position);
      // The next part reads this page again.
      if (bytes > 0 && bytes + page.text.byteLength > bytesMax) return;
      position = page.next;
      for (const type of Object.keys(counts) as (keyof typeof counts)[]) counts[type] += page.counts[type];
      yield page.text;
    }
    yield await lastLine(invocation, archive, counts);
  };
  const hashed = async function* (): AsyncGenerator<Uint8Array> {
    for await (const text of read()) {
      bytes += text.byteLength;
      hash.update(text);
      yield text;
    }
  };
  const content = await gzip(hashed(), invocation.pace);
  const part = {
    number: archive.partCount + 1,
    lines: Object.values(counts).reduce((sum, lines) => sum + lines, position === null ? 1 : 0),
    bytes,
    stored_bytes: content.byteLength,
    sha256: hash.hex(),
    counts,
    position: position === null ? null : JSON.stringify(position),
  };
  return { content, part };
}

/** The last line of an export, with the counts of all parts. */
async function lastLine(
  { db }: Invocation,
  archive: archives.OpenArchive,
  own: archives.LineCounts,
): Promise<Uint8Array> {
  const { found } = await batch(db, { found: archives.archiveById(archive) });
  const end: EndLine = {
    type: "end",
    complete: true,
    conversations: (found?.counts.conversations ?? 0) + own.conversation,
    messages: (found?.counts.messages ?? 0) + own.message,
    memories: (found?.counts.memories ?? 0) + own.memory,
    memory_versions: (found?.counts.memory_versions ?? 0) + own.memory_version,
    recalls: (found?.counts.recalls ?? 0) + own.recall,
  };
  return endLine(end);
}

/** Removes what dead runs have left, stores the manifest, and completes the archive. */
async function complete(
  { db, runtime }: Invocation,
  store: ArchiveStore,
  archive: archives.OpenArchive,
  untilMs: number,
): Promise<void> {
  const { found, parts } = await batch(db, {
    found: archives.archiveById(archive),
    parts: archives.partsOf(archive),
  });
  if (found === null) return;
  const kept = new Set(parts.map((part) => keyOf(archive, part)));
  await removeObjects(store, archive, (key) => !kept.has(key));
  const nowMs = runtime.nowMs();
  const manifest: ArchiveManifest & { organization_id: string } = {
    organization_id: archive.organizationId,
    ...found,
    completed_at: new Date(nowMs).toISOString(),
    parts,
  };
  await store.put(`${prefixOf(archive)}manifest.json`, `${JSON.stringify(manifest)}\n`, MANIFEST_TYPE);
  await batch(db, archives.completedArchive(archive, { nowMs, untilMs }));
}

/** Removes the objects of an archive that a condition selects. */
export async function removeObjects(
  store: ArchiveStore,
  ref: archives.ArchiveRef,
  isRemoved: (key: string) => boolean = () => true,
): Promise<void> {
  let after: string | undefined;
  for (;;) {
    const keys = await store.list(prefixOf(ref), after);
    const removed = keys.filter(isRemoved);
    if (removed.length > 0) await store.delete(removed);
    if (keys.length < LISTED_KEYS_MAX) return;
    after = keys.at(-1);
  }
}
