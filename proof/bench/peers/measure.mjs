// A program: measures one peer in this process and sends its figures.
//
//   node measure.mjs <empty directory> <peer> <"one" or "at-once"> <sizes as JSON>
import { measureAtOnce } from "../src/speed/at-once.ts";
import { openEmbedder } from "../src/speed/embedder.ts";
import { exactLines, FOUND, lineMatrix } from "../src/speed/exact.ts";
import { memoryWork } from "../src/speed/limits.ts";
import { measureSystem, VECTORS_ONLY } from "../src/speed/measure.ts";
import { makeWorkload } from "../src/speed/workload.ts";

const [directory, peer, part, json] = process.argv.slice(2);
const sizes = JSON.parse(json);
// The parent process decides when this ends.
process.on("SIGINT", () => {});
process.once("SIGTERM", () => process.exit(0));
process.once("disconnect", () => process.exit(0));

// No telemetry, and no files in the home directory.
Object.assign(process.env, {
  HOME: directory,
  MEM0_DIR: directory,
  MEM0_TELEMETRY: "false",
  ANONYMIZED_TELEMETRY: "false",
});

const embedder = openEmbedder();
const progress = (text) => process.send({ progress: text });
const { createStores } = await import(`./${peer}/store.mjs`);
const open = await createStores(directory, embedder, FOUND);
process.send({ round: part === "at-once" ? await measureAtOnce(open, sizes, progress) : await measureOne() });

/** One call at a time. */
function measureOne() {
  const workload = makeWorkload(sizes);
  const matrix = lineMatrix(workload.talks, embedder);
  const exact = exactLines(matrix, embedder);
  return measureSystem(open, workload, {
    singles: sizes.singles,
    exactOf: (way) => (way === VECTORS_ONLY ? exact : null),
    baselines: memoryWork(workload, matrix, embedder),
    progress,
  });
}
