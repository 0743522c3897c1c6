// A program: measures one peer in this process and sends its figures.
//
//   node measure.mjs <empty directory> <peer> <messages> <singles> <queries> <warm-ups>
import { openEmbedder } from "../src/speed/embedder.ts";
import { exactLines, FOUND, lineMatrix } from "../src/speed/exact.ts";
import { memoryWork } from "../src/speed/limits.ts";
import { measureSystem, VECTORS_ONLY } from "../src/speed/measure.ts";
import { makeWorkload } from "../src/speed/workload.ts";

const [directory, peer, ...sizes] = process.argv.slice(2);
const [messages, singles, queries, warmUps] = sizes.map(Number);
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
const workload = makeWorkload({ messages, queries, warmUps });
const matrix = lineMatrix(workload.talks, embedder);
const { createStores } = await import(`./${peer}/store.mjs`);
const exact = exactLines(matrix, embedder);
const round = await measureSystem(await createStores(directory, embedder, FOUND), workload, {
  singles,
  exactOf: (way) => (way === VECTORS_ONLY ? exact : null),
  baselines: memoryWork(workload, matrix, embedder),
  progress: (text) => process.send({ progress: text }),
});
process.send({ round });
