// The command of `npm run bench:cell-vectors`: measures the vectors of a cell, and compares them with float32.
import { writeFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { startServiceProcess } from "../../support/service-process.ts";
import { type Figures, measureCell } from "./cell-vectors/measure.ts";
import { measureRecall } from "./cell-vectors/recall.mjs";
import { formatReport, type Measurement } from "./cell-vectors/report.ts";
import { runCommand, writeJson } from "./command/command.ts";
import { readCount, readOptions, readPath } from "./command/options.ts";
import type { Turn } from "./recall/dialogues.ts";
import { loadLocomo } from "./recall/locomo.ts";
import { loadTranscripts } from "./recall/transcripts.ts";
import { openEmbedder } from "./speed/embedder.ts";

const USAGE = `Usage: npm run bench:cell-vectors -- [options]

  --data PATH     measure recall with the texts of LoCoMo (a folder) or of transcripts (a file); may be repeated
  --queries N     queries for each figure (default 50)
  --vectors N     at most this number of vectors (default 50,000)
  --json FILE     write the figures to FILE
  --results DIR   write cell-vectors.md to DIR`;

const DIMENSIONS = [256, 768];
const SIZES = [1_000, 10_000, 50_000];
/** As Engram embeds short messages: windows of five, of which each starts three messages after the one before. */
const [WINDOW_TURNS, WINDOW_STRIDE] = [5, 3];

await runCommand(USAGE, async ({ argv, workingDirectory, progress, print, atEnd }) => {
  const options = readOptions(argv, {
    data: { type: "string", multiple: true },
    queries: { type: "string" },
    vectors: { type: "string" },
    json: { type: "string" },
    results: { type: "string" },
  });
  const queries = readCount("--queries", options.queries, 50);
  const most = readCount("--vectors", options.vectors, 50_000);
  const paths = (options.data ?? []).flatMap((path) => readPath(workingDirectory, path) ?? []);
  const service = await startServiceProcess({
    serviceEntry: join(import.meta.dirname, "served/cell-vectors-worker.mjs"),
  });
  atEnd(service.stop);
  const figures: Figures[] = [];
  for (const dimensions of DIMENSIONS) {
    const sizes = SIZES.filter((size) => size <= most);
    progress(`${dimensions} dimensions`);
    for await (const figure of measureCell(service, { dimensions, sizes, queries })) figures.push(figure);
  }
  const machine = { cores: availableParallelism(), node: process.versions.node };
  progress("recall of texts");
  const real = paths.length > 0 ? await measureTexts(paths) : undefined;
  const measurement: Measurement = { machine, figures, real };
  await writeJson(readPath(workingDirectory, options.json), measurement);
  const report = formatReport(measurement);
  const directory = readPath(workingDirectory, options.results);
  if (directory !== undefined) await writeFile(join(directory, "cell-vectors.md"), report);
  print(report);
  return 0;
});

async function measureTexts(paths: readonly string[]): Promise<Measurement["real"]> {
  const embedder = openEmbedder();
  const sets = await Promise.all(
    paths.map((path) => (path.endsWith(".gz") ? loadTranscripts(path) : loadLocomo(path))),
  );
  const dialogues = sets.flatMap((set) => set.dialogues);
  const windows = dialogues.flatMap(({ sessions }) => sessions.flatMap(({ turns }) => toWindows(turns)));
  const questions = dialogues.flatMap((dialogue) => dialogue.questions.map(({ text }) => text));
  const vectors = windows.map((text) => embedder.embed(text));
  const recall = measureRecall(
    vectors,
    questions.map((text) => embedder.embed(text)),
  );
  return { vectors: vectors.length, queries: questions.length, recall };
}

function toWindows(turns: readonly Turn[]): string[] {
  return Array.from({ length: Math.ceil(turns.length / WINDOW_STRIDE) }, (_, i) =>
    turns
      .slice(i * WINDOW_STRIDE, i * WINDOW_STRIDE + WINDOW_TURNS)
      .map(({ name, role, content }) => `[${name ?? role}]: ${content}`)
      .join("\n"),
  );
}
