// Entry of `npm run reindex`.
import { setTimeout as delay } from "node:timers/promises";
import { Engram } from "@engram/sdk";
import { UsageError } from "./args.ts";
import { type ReindexArgs, readArgs, USAGE } from "./reindex/args.ts";
import { explain } from "./reindex/explain.ts";
import { showProgress } from "./reindex/progress.ts";
import { count, reindex } from "./reindex/reindex.ts";

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
const STOPPED =
  "Stopped. That harms nothing: what is queued goes on in the service, and `npm run reindex` watches it again.";
const { stdout, stderr } = process;

const stopping = new AbortController();
const { signal } = stopping;
// `on` and not `once`: Ctrl-C reaches this process more than once, because its parent processes forward the
// signal, too.
for (const [name, code] of Object.entries(SIGNALS)) process.on(name, () => stopping.abort(code));

const progress = showProgress(stdout, Date.now);
let url = "";
try {
  const args = readArgs(process.argv.slice(2), process.env);
  if (args === "help") stdout.write(USAGE);
  else await run(args);
} catch (error) {
  progress.clear();
  stderr.write(`${signal.aborted ? STOPPED : explain(error, url)}\n`);
  process.exitCode = signal.aborted ? signal.reason : error instanceof UsageError ? 2 : 1;
}

async function run(args: ReindexArgs): Promise<void> {
  ({ url } = args);
  const { index, operations } = connect(args);
  const { messages, chunks, model, deletions_pending } = await reindex({
    status: () => index.status({}, { signal }),
    async repair() {
      const repair = await index.repair({}, { signal });
      stdout.write("The service embeds everything again. Messages are found by their words throughout.\n");
      return repair;
    },
    get: (id) => operations.get(id, { signal }),
    sleep: (ms) => delay(ms, undefined, { signal }),
    moved: progress.show,
  });
  progress.clear();
  stdout.write(`Done: ${count(messages)} messages in ${count(chunks)} chunks, embedded by ${model}.\n`);
  stdout.write(
    "`npx @engram/cli evaluate` runs your evaluations again and says what moved, if you keep some.\n",
  );
  if (deletions_pending > 0) {
    stdout.write(
      `The service still deletes ${count(deletions_pending)} vectors that nothing names any more.\n`,
    );
  }
}

function connect({ url: baseUrl, key: apiKey }: ReindexArgs): Engram {
  try {
    return new Engram({ baseUrl, apiKey });
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(`${baseUrl} cannot be called: ${error.message}`);
    throw error;
  }
}
