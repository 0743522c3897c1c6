import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SearchAnswer, SearchBody } from "@engram/sdk";
import type { Progress } from "../../../support/progress.ts";
import { openOrganization } from "../isolation/fill.ts";
import { type LoggedService, startLoggedService } from "../isolation/service.ts";
import type { WorstQueriesArgs } from "./args.ts";
import { fillStores } from "./fill.ts";
import { QUERIES } from "./queries.ts";
import { STORES } from "./stores.ts";

export interface Measured {
  store: string;
  query: string;
  /** Time for which the slowest run occupied the database: the sum that D1 states for its statements. */
  occupiedMs: number;
  /** Time of the search of that run, measured by the caller. */
  ms: number;
  rowsRead: number;
  results: number;
  degraded: string[];
}

/** Run the worst queries over the worst stores, each in its own organization of one database. */
export async function measureQueries(
  args: WorstQueriesArgs,
  progress: Progress,
  signal: AbortSignal,
): Promise<Measured[]> {
  const directory = await mkdtemp(join(tmpdir(), "engram-worst-queries-"));
  let service: LoggedService | undefined;
  try {
    progress("starting the service");
    service = await startLoggedService(directory);
    const opened = [];
    for (const store of STORES) opened.push({ store, ...(await openOrganization(service, store.name)) });
    await service.stop();
    fillStores(directory, opened, args.messages, (text) => {
      signal.throwIfAborted();
      progress(text);
    });
    service = await startLoggedService(directory);
    const measured: Measured[] = [];
    for (const { store, key } of opened) {
      // A first search fills caches. It also measures the embedding model, which an isolate does only once.
      await ask(service, key, { query: "q0 q1" });
      for (const query of QUERIES) {
        signal.throwIfAborted();
        progress(`searching, ${store.name}: ${query.name}`);
        const answers = [];
        for (let run = 0; run < args.runs; run++) answers.push(await ask(service, key, query.body));
        const [slowest] = answers.sort((a, b) => b.occupiedMs - a.occupiedMs);
        if (slowest !== undefined) measured.push({ store: store.name, query: query.name, ...slowest });
      }
    }
    return measured;
  } finally {
    await service?.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

async function ask(
  service: LoggedService,
  key: string,
  body: SearchBody,
): Promise<Omit<Measured, "store" | "query">> {
  const startMs = performance.now();
  const response = await fetch(`${service.url}/v1/search`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ context: { before: 0, after: 0 }, ...body }),
  });
  const text = await response.text();
  const ms = performance.now() - startMs;
  if (!response.ok) throw new Error(`A search was answered ${response.status}: ${text}`);
  const { results, degraded } = JSON.parse(text) as SearchAnswer;
  const sqlMs = /sql;dur=(\d+)/.exec(response.headers.get("server-timing") ?? "")?.[1];
  if (sqlMs === undefined) throw new Error("The service did not say how long its statements took.");
  const rowsRead = await service.rowsRead(response.headers.get("x-request-id") ?? "");
  return {
    occupiedMs: Number(sqlMs),
    ms,
    rowsRead,
    results: results.length,
    degraded,
  };
}
