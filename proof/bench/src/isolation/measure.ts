import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { Engram, type SearchAnswer, type SearchBody } from "@engram/sdk";
import type { Progress } from "../../../support/progress.ts";
import type { Workload } from "../cost/workload.ts";
import type { IsolationArgs } from "./args.ts";
import { copyOrganization } from "./copy.ts";
import { fillOrganization, type Opened, openOrganization } from "./fill.ts";
import { type LoggedService, startLoggedService } from "./service.ts";

export const MODES = ["hybrid", "semantic", "keyword"] as const;
type Mode = (typeof MODES)[number];

/** Searches that warm up caches and are not measured. */
const WARM_UP = 5;

/** One query in the organization alone, and in its copy among others. */
export interface Pair {
  mode: Mode;
  query: string;
  alone: Sample;
  among: Sample;
  /** Whether the complete responses are equal, including the order and the scores. */
  isSame: boolean;
  results: number;
}

export interface Sample {
  /** As measured by the caller. */
  ms: number;
  rowsRead: number;
}

export interface Measurement {
  organizations: number;
  /** Per organization. */
  messages: number;
  pairs: Pair[];
}

/**
 * Compare searches of an organization in a database of its own with searches of its copy among others.
 *
 * The first is filled through the API. The others and the copy that is searched are copied row by row. Equal
 * results of the copy show that copying is correct.
 */
export async function measureIsolation(
  workload: Workload,
  args: Omit<IsolationArgs, "jsonFile">,
  progress: Progress,
  signal: AbortSignal,
): Promise<Measurement> {
  const directory = await mkdtemp(join(tmpdir(), "engram-isolation-"));
  const running = new Set<LoggedService>();
  const start = async (name: string) => {
    signal.throwIfAborted();
    const service = await startLoggedService(join(directory, name));
    running.add(service);
    return service;
  };
  try {
    progress("starting the services");
    const filled = await start("alone");
    const alone = await openOrganization(filled, "alone");
    const client = new Engram({ baseUrl: filled.url, apiKey: alone.key });
    await fillOrganization(client, workload, args.messages, (text) => {
      signal.throwIfAborted();
      progress(text);
    });
    await filled.stop();
    const among = await openMany(await start("among"), args.organizations);
    for (const service of running) await service.stop();
    copyOrganization(
      { dataDirectory: join(directory, "alone"), organizationId: alone.organizationId },
      {
        dataDirectory: join(directory, "among"),
        organizationIds: among.map(({ organizationId }) => organizationId),
      },
      (text) => {
        signal.throwIfAborted();
        progress(text);
      },
    );
    // An organization in the middle, neither the first nor the last.
    const twin = among[among.length >> 1] ?? alone;
    const ask = [asker(await start("alone"), alone.key), asker(await start("among"), twin.key)] as const;
    const queries = workload.queries.slice(0, args.queries);
    const pairs = await askAll(queries, ask, (text) => {
      signal.throwIfAborted();
      progress(text);
    });
    return { organizations: args.organizations, messages: args.messages, pairs };
  } finally {
    for (const service of running) await service.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

/** Empty organizations. One search makes the vector store create its tables. */
async function openMany(service: LoggedService, count: number): Promise<Opened[]> {
  const opened: Opened[] = [];
  for (let i = 0; i < count; i++) opened.push(await openOrganization(service, `among ${i}`));
  const client = new Engram({ baseUrl: service.url, apiKey: opened[0]?.key ?? "" });
  await client.search({ query: "anything" });
  return opened;
}

type Ask = (body: SearchBody) => Promise<{ answer: SearchAnswer; sample: Sample }>;

/** Alternates which one is searched first, so that slow phases of the machine affect both. */
async function askAll(
  queries: string[],
  [alone, among]: readonly [Ask, Ask],
  progress: Progress,
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (const mode of MODES) {
    for (const query of queries.slice(0, WARM_UP))
      for (const ask of [alone, among]) await ask({ query, mode });
    for (const [i, query] of queries.entries()) {
      progress(`searching, ${mode}: ${i} of ${queries.length} queries`);
      const body = { query, mode };
      const first = await (i % 2 === 0 ? alone : among)(body);
      const second = await (i % 2 === 0 ? among : alone)(body);
      const [one, other] = i % 2 === 0 ? [first, second] : [second, first];
      pairs.push({
        ...body,
        alone: one.sample,
        among: other.sample,
        isSame: isDeepStrictEqual(one.answer, other.answer),
        results: one.answer.results.length,
      });
    }
  }
  return pairs;
}

/** Without the SDK, whose own time is not part of the measurement. */
function asker(service: LoggedService, key: string): Ask {
  return async (body) => {
    const startMs = performance.now();
    const response = await fetch(`${service.url}/v1/search`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    const ms = performance.now() - startMs;
    if (!response.ok) throw new Error(`A search was answered ${response.status}: ${text}`);
    const answer = JSON.parse(text) as SearchAnswer;
    const rowsRead = await service.rowsRead(response.headers.get("x-request-id") ?? "");
    return { answer, sample: { ms, rowsRead } };
  };
}
