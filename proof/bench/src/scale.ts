// The command of `npm run bench:scale`: how fast is one organization in a cell, beside one in D1, as others load?
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom } from "../../support/random.ts";
import { runCommand, writeJson } from "./command/command.ts";
import { readCount, readOptions, readPath, UsageError } from "./command/options.ts";
import { generatedWorkload } from "./cost/workload.ts";
import { makeText, TOPICS } from "./generated-text.ts";
import { type IdleCells, measureIdleCells } from "./scale/idle-cells.ts";
import { type Figures, measurePlaces } from "./scale/measure.ts";
import { fillPlaces, type Places } from "./scale/organizations.ts";
import { formatReport, type Measurement } from "./scale/report.ts";
import { startPlaces } from "./scale/service.ts";
import { readSizes } from "./scale/sizes.ts";

const SIZES = "1x1000,10x1000,100x1000,1000x50,1x100000";
const USAGE = `Usage: npm run bench:scale -- [options]

  --sizes LIST        organizations × messages of each, in each place (default ${SIZES})
  --samples N         requests for each figure (default 100)
  --cells N           idle cells whose memory is measured (default 200)
  --repeats N         times that it is measured (default 3)
  --json FILE         write the figures to FILE
  --earlier FILE      begin with the figures of an earlier run, which measured other sizes and the memory
  --results DIR       write scale.md to DIR`;

const LOAD_PER_SECOND = 4;
const MESSAGE_WORDS = 14;

await runCommand(USAGE, async ({ argv, workingDirectory, progress, print, atEnd }) => {
  const options = readOptions(argv, {
    sizes: { type: "string" },
    samples: { type: "string" },
    cells: { type: "string" },
    repeats: { type: "string" },
    json: { type: "string" },
    earlier: { type: "string" },
    results: { type: "string" },
  });
  const growths = readSizes("--sizes", options.sizes ?? SIZES);
  const samples = readCount("--samples", options.samples, 100);
  const cells = readCount("--cells", options.cells, 200);
  const repeats = readCount("--repeats", options.repeats, 3);
  const openDirectory = async () => {
    const directory = await mkdtemp(join(tmpdir(), "engram-scale-"));
    atEnd(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }));
    return directory;
  };

  const random = createRandom("scale");
  const workload = generatedWorkload();
  const said = () => workload.conversations();
  let asked = 0;
  const texts = {
    // Each one once, because an isolate keeps the vectors of queries.
    query: () => `${random.pick(workload.queries)} ${++asked}`,
    message: () => makeText(random, random.pick(TOPICS), MESSAGE_WORDS),
  };
  const machine = { cores: availableParallelism(), node: process.versions.node };
  const earlier = await readEarlier(readPath(workingDirectory, options.earlier));
  if (earlier.samples !== undefined && earlier.samples !== samples)
    throw new UsageError(`the figures of ${options.earlier} are of --samples ${earlier.samples}`);
  const idle: IdleCells[] = [...earlier.idle];
  const figures: Figures[] = [...earlier.figures];
  const results = readPath(workingDirectory, options.results);
  const measurement: Measurement = { machine, samples, loadPerSecond: LOAD_PER_SECOND, figures, idle };
  const report = () => formatReport(measurement);
  // Called after each step, so that a failure of a later one does not lose it.
  const save = async () => {
    await writeJson(readPath(workingDirectory, options.json), measurement);
    if (results !== undefined) await writeFile(join(results, "scale.md"), report());
  };

  for (let i = 0; i < repeats && earlier.idle.length === 0; i++) {
    progress(`idle cells, ${i + 1} of ${repeats}`);
    idle.push(await measureIdleCells(await openDirectory(), cells, atEnd));
    await save();
  }

  for (const growth of growths) {
    const service = await startPlaces(await openDirectory());
    atEnd(service.stop);
    const places: Places = { d1: [], cell: [] };
    for (const { organizations: count, messages } of growth) {
      progress(`filling ${count} × ${messages}`);
      await fillPlaces(service, places, { count, messages, said });
      progress(`measuring ${count} × ${messages}`);
      const input = { messages, samples, loadPerSecond: LOAD_PER_SECOND, random, texts };
      figures.push(...(await measurePlaces(service, places, input)));
      await save();
    }
    await service.stop();
  }

  print(report());
  return 0;
});

async function readEarlier(
  file: string | undefined,
): Promise<Pick<Measurement, "figures" | "idle"> & Partial<Measurement>> {
  if (file === undefined) return { figures: [], idle: [] };
  return JSON.parse(await readFile(file, "utf8")) as Measurement;
}
