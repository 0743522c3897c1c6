// Entry of `npm run bench:startup`, which measures how long the Worker takes to start.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { runWrangler, spawnWrangler } from "./wrangler.ts";

const ROUNDS = 9;
const wrangler = spawnWrangler(resolve(import.meta.dirname, "../.."), new AbortController().signal);
const folder = mkdtempSync(join(tmpdir(), "engram-startup-"));

try {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const args = ["check", "startup", "--outfile", join(folder, "startup.cpuprofile")];
    const { stdout } = await runWrangler(wrangler, args);
    const active = /Active: ([\d.]+) ms/.exec(stdout)?.[1];
    if (active === undefined) throw new Error(`wrangler printed no time:\n${stdout}`);
    times.push(Number(active));
  }
  times.sort((a, b) => a - b);
  const median = times[Math.floor(ROUNDS / 2)];
  process.stdout.write(
    `Startup: ${median} ms on this machine (median of ${ROUNDS}, ${times[0]} to ${times.at(-1)} ms; other load counts).\n` +
      "Cloudflare measures its own when it takes a bundle, which `npm run deploy` prints; it allows 1,000 ms.\n",
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
