import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Archive, Engram } from "@engram/sdk";
import { ARCHIVE_DAYS_MAX } from "@engram/sdk/limits";
import { type Command, InvalidArgumentError } from "commander";
import { hasPart, manifestFile, readLines, readManifest, verifyFiles, writePart } from "../archive-files.ts";
import { CommandError } from "../command-error.ts";
import { contextOf } from "../context.ts";
import { writeText } from "../file-outputs.ts";
import { examples } from "../options.ts";
import { count, oneLine, table, toJson } from "../output.ts";
import { createProgress } from "../progress.ts";

/** Long timeouts, because a small machine may need long for a request of 1,000 lines. */
const PATIENCE = { timeoutMs: 120_000, deadlineMs: 900_000, maxRetries: 8 };
const POLL_MS = 1_000;
const EXIT_FAILED = 1;
const PROBLEMS_SHOWN = 20;

export function addArchive(program: Command): void {
  const archive = program
    .command("archive")
    .description("Create, list, get, verify and restore archives of the organization; needs the scope admin")
    .addHelpText(
      ...examples(
        "engram archive create --wait",
        "engram archive list",
        "engram archive get arc_06e3tqz8m1k4v9x2c7d0 ./archive",
        "engram archive verify ./archive",
        "engram archive restore ./archive --profile empty",
      ),
    );
  archive
    .command("create")
    .description("Begin an archive of all conversations and memories")
    .option("--expires-in-days <days>", "delete it after this number of days; default it is kept", days)
    .option("--wait", "end when the archive is complete")
    .addHelpText(...examples("engram archive create --expires-in-days 30 --wait"))
    .action(createArchive);
  archive
    .command("list")
    .description("List archives, newest first")
    .addHelpText(...examples("engram archive list --json"))
    .action(listArchives);
  archive
    .command("get")
    .description("Download an archive into a directory, and compare its parts with their SHA-256")
    .argument("<id>", "id of the archive")
    .argument("<directory>", "directory to write; parts that it has already are kept")
    .addHelpText(...examples("engram archive get arc_06e3tqz8m1k4v9x2c7d0 ./archive"))
    .action(getArchive);
  archive
    .command("verify")
    .description(
      "Check that the files of an archive are whole; asks no service. Exits with 1 if they are not",
    )
    .argument("<directory>", "directory of the archive")
    .addHelpText(...examples("engram archive verify ./archive"))
    .action(verifyArchive);
  archive
    .command("restore")
    .description("Verify an archive, and import all of it, with the same ids, sequence numbers and times")
    .argument("<directory>", "directory of the archive")
    .addHelpText(
      "after",
      `
Items that the organization has already are left as they are, so that a restore can be repeated. Restore into a
new organization to get exactly what was archived. Exits with 1 if an item was not restored.

Examples:
  $ engram archive restore ./archive --profile empty
`,
    )
    .action(restoreArchive);
}

function days(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > ARCHIVE_DAYS_MAX)
    throw new InvalidArgumentError(`must be a whole number from 1 to ${ARCHIVE_DAYS_MAX}`);
  return value;
}

async function createArchive(
  { expiresInDays, wait }: { expiresInDays?: number; wait?: boolean },
  command: Command,
): Promise<void> {
  const { output, client } = contextOf(command);
  const engram = client();
  const { target_id: id, id: operationId } = await engram.archives.create({ expires_in_days: expiresInDays });
  if (wait) await waitFor(engram, operationId);
  const archive = await engram.archives.get(id);
  output.data(archive, () =>
    archive.completed_at === null
      ? `${id} is being written. \`engram archive list\` shows when it is complete.`
      : `${id} is complete: ${describe(archive)}.`,
  );
}

async function waitFor(engram: Engram, operationId: string): Promise<void> {
  const { show, clear } = createProgress(process.stderr);
  try {
    for (;;) {
      const operation = await engram.operations.get(operationId);
      if (operation.status === "succeeded") return;
      if (operation.status !== "running") throw new CommandError("The archive was canceled.");
      if (operation.type === "create_archive") show(() => `${count(operation.progress.done)} lines`);
      await setTimeout(POLL_MS);
    }
  } finally {
    clear();
  }
}

const describe = ({ counts, part_count, bytes, stored_bytes }: Archive): string =>
  `${count(counts.conversations)} conversations with ${count(counts.messages)} messages and ${count(counts.memories)} memories in ${count(part_count)} parts, ${count(bytes)} bytes (${count(stored_bytes)} stored)`;

async function listArchives(_options: unknown, command: Command): Promise<void> {
  const { output, client } = contextOf(command);
  const archives = await client().archives.list().toArray({ max: Number.POSITIVE_INFINITY });
  output.data(archives, () =>
    archives.length === 0
      ? "There are no archives."
      : table([
          ["ID", "CREATED", "COMPLETE", "EXPIRES", "MESSAGES", "MEMORIES", "PARTS"],
          ...archives.map((archive) => [
            archive.id,
            archive.created_at,
            archive.completed_at ?? "-",
            archive.expires_at ?? "never",
            count(archive.counts.messages),
            count(archive.counts.memories),
            count(archive.part_count),
          ]),
        ]),
  );
}

async function getArchive(id: string, to: string, _options: unknown, command: Command): Promise<void> {
  const { output, client } = contextOf(command);
  const engram = client(PATIENCE);
  const manifest = await engram.archives.get(id);
  if (manifest.completed_at === null)
    throw new CommandError(`${oneLine(id)} is still being written. Try again when it is complete.`);
  const directory = resolve(to);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { show, clear } = createProgress(process.stderr);
  try {
    for (const part of manifest.parts) {
      show(() => `part ${count(part.number)} of ${count(manifest.part_count)}`);
      if (!(await hasPart(directory, part)))
        await writePart(directory, part, engram.archives.partLines(id, { part: part.number }));
    }
  } finally {
    clear();
  }
  // Last: a directory with a manifest has all parts.
  writeText(manifestFile(directory), `${toJson(manifest)}\n`);
  output.data({ directory, ...manifest }, () => `Wrote ${describe(manifest)} to ${oneLine(to)}.`);
}

async function verifyArchive(from: string, _options: unknown, command: Command): Promise<void> {
  const { output } = contextOf(command);
  const directory = resolve(from);
  const manifest = readManifest(directory);
  const problems = await verifyFiles(directory, manifest);
  output.data({ id: manifest.id, valid: problems.length === 0, problems }, () =>
    problems.length === 0
      ? `${manifest.id} is whole: ${describe(manifest)}.`
      : ["The archive is not whole.", ...problems].join("\n"),
  );
  if (problems.length > 0) process.exitCode = EXIT_FAILED;
}

async function restoreArchive(from: string, _options: unknown, command: Command): Promise<void> {
  const { output, client } = contextOf(command);
  const directory = resolve(from);
  const manifest = readManifest(directory);
  const [problem] = await verifyFiles(directory, manifest);
  if (problem !== undefined) throw new CommandError(`Nothing was restored. ${problem}`);
  const { show, clear } = createProgress(process.stderr);
  const summary = await client(PATIENCE)
    .import(readLines(directory, manifest), {
      onProgress: ({ lines }) => show(() => `${count(lines)} lines`),
    })
    .finally(clear);
  const { conversations, messages, memories, memory_versions, recalls, problems, skipped } = summary;
  output.data({ id: manifest.id, ...summary }, () =>
    [
      `Restored ${manifest.id}: ${Object.entries({
        conversations,
        messages,
        memories,
        memory_versions,
        recalls,
      })
        .map(
          ([name, { created, existing }]) =>
            `${count(created)} ${name.replace("_", " ")}${existing === 0 ? "" : ` (${count(existing)} existed)`}`,
        )
        .join(", ")}.`,
      ...problems.slice(0, PROBLEMS_SHOWN).map(({ line, detail }) => `Line ${line}: ${detail}`),
      ...(skipped.length === 0 ? [] : [`${count(skipped.length)} items were deleted with forget.`]),
    ].join("\n"),
  );
  if (problems.length + skipped.length > 0) process.exitCode = EXIT_FAILED;
}
