// The measurement of a deployment, against the real service, served on this machine.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it, test } from "vitest";
import { DIMENSIONS, NEURONS_PER_TOKEN, PRICES } from "../../proof/bench/src/cost/prices.ts";
import { ANSWER_TIMEOUT_MS } from "../src/calls.ts";
import { measureFirstRequest } from "../src/measure/first-request.ts";
import { LOCAL_APPEND_ROWS, readLocalFigures } from "../src/measure/local-figures.ts";
import { DELETE_WAIT_MS, type Measurement, measure } from "../src/measure/measure.ts";
import { BATCH_MESSAGES, LARGE_MESSAGE_BYTES, PLAN, type Plan } from "../src/measure/plan.ts";
import { report } from "../src/measure/report.ts";
import { rareSentence, sentence } from "../src/measure/texts.ts";
import { readTiming } from "../src/measure/timing.ts";
import { LeftOrganization } from "../src/test-organization.ts";
import { type Command, startDeploy } from "./support/command.ts";
import { emptyAccount } from "./support/recorded-wrangler.ts";
import { ROOT, removeFolders } from "./support/run.ts";

const service = { url: inject("url"), adminToken: inject("adminToken") };

const SMALL: Plan = {
  ...PLAN,
  calls: 4,
  connections: 2,
  rateCalls: 6,
  indexedAppends: 1,
  largeAppends: 2,
  largeMessages: 2,
  laggingMessages: 2,
  lagPollMs: 100,
};

/** The service, with answers of its own for some requests, by method and path. */
interface Traffic {
  fetch: typeof fetch;
  requests: string[];
  organization: string | undefined;
}

function observed(instead: (request: string) => Response | undefined = () => undefined): Traffic {
  const traffic: Traffic = {
    requests: [],
    organization: undefined,
    fetch: async (input, init) => {
      const path = new URL(String(input)).pathname.replace(/(org|conv)_\w+/, "$1_");
      const request = `${init?.method} ${path}`;
      traffic.requests.push(request);
      const response = instead(request) ?? (await fetch(input, init));
      if (request === "POST /v1/organizations")
        traffic.organization = JSON.parse(await response.clone().text()).organization.id;
      return response;
    },
  };
  return traffic;
}

const run = (traffic: Traffic, more: { plan?: Partial<Plan>; signal?: AbortSignal } = {}) =>
  measure({
    ...service,
    fetch: traffic.fetch,
    deployed: {
      database_location: "weur",
      placement: "near azure:westeurope",
      startup_ms: 41,
      first_request: { first_ms: 120, later_p50_ms: 40 },
    },
    started: () => {},
    signal: more.signal ?? new AbortController().signal,
    plan: { ...SMALL, ...more.plan },
  });

/** Whether an organization is deleted. */
async function isDeleted(id: string | undefined): Promise<boolean> {
  const headers = { authorization: `Bearer ${service.adminToken}` };
  const response = await fetch(`${service.url}/v1/organizations/${id}`, { headers });
  // Its last row may be purged already.
  return response.status === 404 || JSON.parse(await response.text()).deleted_at !== null;
}

describe("a measurement", () => {
  it("has every figure, and deletes its organization", async () => {
    const traffic = observed();
    const measured = await run(traffic, { plan: { indexedAppends: 3, largeMessages: 20 } });
    expect(measured.failures).toEqual([]);
    expect(measured).toMatchObject({
      format: 1,
      version: expect.stringMatching(/^\d+\.\d+/),
      database_location: "weur",
      append: { calls: 4, failed: 0 },
      search: { calls: 4, failed: 0 },
      append_rate: { connections: 2, calls: 6, failed: 0 },
      search_rate: { connections: 2, calls: 6, failed: 0 },
      rows: { appends: 3, failed: 0 },
      rows_in_batches: { appends: 3, failed: 0 },
      large_appends: { stored: 3, at_once: 2, failed: 0 },
      vector_lag: { messages: 2, found: 2, failed: 0 },
    });
    for (const latency of [measured.append, measured.search]) {
      expect(latency?.p50_ms).toBeGreaterThan(0);
      expect(latency?.p99_ms).toBeGreaterThanOrEqual(latency?.p50_ms ?? Number.NaN);
    }
    // The verdict whether D1 counts the tables of FTS5 is about 6 rows.
    expect(Math.abs((measured.rows?.written ?? 0) - LOCAL_APPEND_ROWS)).toBeLessThan(2.5);
    expect(measured.rows?.written_until_indexed).toBeGreaterThan(measured.rows?.written ?? 0);
    expect(measured.rows_written).toBeGreaterThan(100);
    expect(measured.requests).toBeLessThanOrEqual(traffic.requests.length);
    expect(await isDeleted(traffic.organization)).toBe(true);
  });

  it("goes on after a phase whose calls fail, and names the reason", async () => {
    const traffic = observed((request) =>
      request === "POST /v1/search" ? new Response("Error 1102", { status: 503 }) : undefined,
    );
    const measured = await run(traffic);
    expect(measured.search).toMatchObject({ calls: 0, failed: 4 });
    expect(measured.search?.failure).toBe("POST /v1/search answered 503: Error 1102");
    expect(measured.vector_lag).toMatchObject({ found: 0, failed: PLAN.failuresMax });
    expect(measured.append).toMatchObject({ calls: 4, failed: 0 });
    expect(report(measured, readLocalFigures(ROOT))).toContain(
      "4 calls failed (search). The first: POST /v1/search answered 503: Error 1102",
    );
    expect(await isDeleted(traffic.organization)).toBe(true);
  });

  it("of which the time is over keeps what it has, names what is missing and deletes its organization", async () => {
    const traffic = observed();
    const measured = await run(traffic, { plan: { calls: 1_000_000, totalMs: 1_500 } });
    expect(measured.append?.calls).toBeGreaterThan(0);
    expect(measured.large_appends).toBeNull();
    expect(measured.failures).toContainEqual({ phase: "Largest appends", reason: "The time was over." });
    expect(measured.seconds).toBeLessThan(10);
    expect(await isDeleted(traffic.organization)).toBe(true);
  });

  it("that is stopped deletes its organization", async () => {
    const stopping = new AbortController();
    const traffic = observed((request) => {
      if (request === "POST /v1/search") stopping.abort(130);
      return undefined;
    });
    await expect(run(traffic, { signal: stopping.signal })).rejects.toBe(130);
    expect(traffic.requests.at(-1)).toBe("DELETE /v1/organizations/org_");
    expect(await isDeleted(traffic.organization)).toBe(true);
  });

  it("deletes its organization at a second attempt", async () => {
    let deletions = 0;
    const traffic = observed((request) =>
      request.startsWith("DELETE") && ++deletions === 1 ? new Response("busy", { status: 503 }) : undefined,
    );
    await run(traffic, { plan: { calls: 1 } });
    expect(deletions).toBe(2);
    expect(await isDeleted(traffic.organization)).toBe(true);
  });

  it("says how to delete its organization if it could not", async () => {
    const traffic = observed((request) =>
      request.startsWith("DELETE") ? new Response("busy", { status: 503 }) : undefined,
    );
    const error = await run(traffic, { plan: { calls: 1 } }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(LeftOrganization);
    expect(String(error)).toContain(
      `send DELETE /v1/organizations/${traffic.organization} with the admin token`,
    );
    await fetch(`${service.url}/v1/organizations/${traffic.organization}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${service.adminToken}` },
    });
  });
});

describe("the bounds of a measurement", () => {
  const { calls, rateCalls, indexedAppends, largeAppends, largeMessages, laggingMessages } = PLAN;
  const singles = calls + rateCalls + 2 * indexedAppends + laggingMessages;
  const batched = 2 * indexedAppends * BATCH_MESSAGES;
  const large = (1 + largeAppends) * largeMessages;
  const lagSearches = laggingMessages * Math.ceil(PLAN.lagMs / PLAN.lagPollMs);
  const searches = calls + rateCalls + lagSearches;

  it("are five minutes, with the deletion at its slowest", () => {
    const deletionMs = 2 * ANSWER_TIMEOUT_MS + DELETE_WAIT_MS;
    expect(PLAN.totalMs + deletionMs).toBeLessThan(5 * 60_000);
    expect(PLAN.lagMs).toBeLessThan(PLAN.totalMs);
  });

  it("are less than a dollar, without the allowances of the plan", () => {
    const price = (unit: keyof typeof PRICES, quantity: number) =>
      (PRICES[unit].dollars / PRICES[unit].per) * quantity;
    // Rows with FTS5's, from docs/deploy.md. Of a large message: twice those of one in a batch.
    const rows = singles * 36.1 + batched * 8.3 + large * 17;
    // A large message: 1,500 bytes of everyday words, 4 a token, and 500 of rare words, 1 a token. Windows overlap.
    const tokens = singles * 186 + batched * 98.6 + (large * (1_500 / 4 + 500) * 5) / 3 + searches * 20;
    const vectors = (tokens / 256) * DIMENSIONS;
    const dollars =
      // Deleting a row writes it once more.
      price("rowsWritten", 2 * rows) +
      price("rowsRead", 10 * rows + searches * 25_000) +
      price("neurons", tokens * NEURONS_PER_TOKEN) +
      price("queriedDimensions", searches * DIMENSIONS + vectors) +
      price("storedDimensions", vectors) +
      price("requests", singles + batched + large + searches) +
      price("cpuMs", (1 + largeAppends) * 30_000 + (singles + searches) * 100);
    expect(dollars).toBeGreaterThan(0.1);
    expect(dollars).toBeLessThan(1);
  });

  it("allow the largest append, and no larger one", () => {
    const messages = Array.from({ length: largeMessages }, () => ({
      role: "assistant",
      content: rareSentence(LARGE_MESSAGE_BYTES),
    }));
    const bytes = Buffer.byteLength(JSON.stringify(messages));
    expect(bytes).toBeGreaterThan(2_000_000);
    expect(bytes).toBeLessThan(2_097_152);
    expect(sentence(242).length).toBeGreaterThanOrEqual(241);
  });
});

describe("the report", () => {
  let whole: Measurement;
  beforeAll(async () => {
    whole = await run(observed(), { plan: { calls: 1, rateCalls: 2 } });
  });
  const reportOf = (change: Partial<Measurement>) => report({ ...whole, ...change }, readLocalFigures(ROOT));

  it("compares with figures that the documents of the repository have", () => {
    for (const [name, figure] of Object.entries(readLocalFigures(ROOT)))
      expect(figure, name).toBeGreaterThan(0);
  });

  test.each([
    ["does not report them", LOCAL_APPEND_ROWS],
    ["counts them", LOCAL_APPEND_ROWS + 6],
  ])("says of the tables of FTS5 that D1 %s", (verdict, written) => {
    const rows = whole.rows && { ...whole.rows, written };
    expect(reportOf({ rows })).toContain(`FTS5's tables: D1 ${verdict}`);
  });

  it("shows a figure that could not be measured as missing", () => {
    const failures = [{ phase: "Appends", reason: "The time was over." }];
    const text = reportOf({ append: null, large_appends: null, failures });
    expect(text).toMatch(/append of one message, p50, p99 +– /);
    expect(text).toContain("Not measured: Appends. The time was over.");
    expect(text).not.toContain("NaN");
  });
});

test("Server-Timing is read as the service writes it", async () => {
  const { headers } = await fetch(`${service.url}/v1/search`, {
    method: "POST",
    headers: { authorization: `Bearer ${inject("key")}`, "content-type": "application/json" },
    body: '{"query":"a kettle"}',
  });
  const timing = readTiming(headers.get("server-timing"));
  expect(timing.d1Calls).toBeGreaterThan(0);
  expect(timing.rowsRead).toBeGreaterThan(0);
  expect(timing).toMatchObject({ rowsWritten: 0 });
  expect(readTiming(null)).toMatchObject({ workerMs: 0, d1Calls: 0, rowsRead: 0 });
});

describe("the first request", () => {
  const options = { waitMs: 10_000, sleep: async () => {}, signal: new AbortController().signal };

  it("is timed apart from later ones, each with a connection of its own", async () => {
    const server = await serve(async (count) => {
      if (count === 3) await delay(300);
      return count < 3 ? 503 : 200;
    });
    const first = await measureFirstRequest(server.url, options);
    server.close();
    expect(first?.first_ms).toBeGreaterThanOrEqual(300);
    expect(first?.later_p50_ms).toBeLessThan(250);
    expect(server.connections()).toBe(13);
  });

  it("is left out if none is answered", async () => {
    expect(await measureFirstRequest("http://127.0.0.1:1", options)).toBeUndefined();
  });
});

describe("the command", () => {
  // Of its own, since what is kept for an account lies in the repository.
  const id = "abcdef9876543210fedcba9876543210";
  const kept = join(ROOT, "deploy/.engram", id);
  const files = () => readdirSync(ROOT).filter((name) => name.startsWith("engram-measurement-"));
  const deploy = (): Command =>
    startDeploy({ ...emptyAccount(), accounts: [{ id, name: "Acme" }], url: proxy.url }, ["--measure"], {
      ENGRAM_ADMIN_TOKEN: service.adminToken,
    });
  let proxy: Awaited<ReturnType<typeof serve>>;

  afterEach(() => {
    proxy.close();
    rmSync(kept, { recursive: true, force: true });
    for (const file of files()) rmSync(join(ROOT, file));
  });
  afterAll(removeFolders);

  it("when stopped while it measures, deletes the organization and writes no file", async () => {
    proxy = await serve(forward);
    const command = deploy();
    while (!proxy.requests.some((request) => request.startsWith("POST /v1/search"))) await delay(20);
    // The first search is the smoke test's.
    while (proxy.organizations.length < 2) await delay(20);
    await delay(500);
    command.child.kill("SIGINT");
    const { code, stderr } = await command.ended;
    expect(code).toBe(130);
    expect(stderr.trim()).toBe("Stopped.");
    expect(proxy.requests.at(-1)).toMatch(/^DELETE \/v1\/organizations\/org_/);
    for (const organization of proxy.organizations) expect(await isDeleted(organization)).toBe(true);
    expect(files()).toEqual([]);
  });

  test("measures, prints the figures and writes a file without names", async () => {
    proxy = await serve(forward);
    const { code, stdout, stderr } = await deploy().ended;
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout).toContain("✓ First request");
    expect(stdout).toMatch(/append of one message, p50, p99 +[\d.]+, [\d.]+ ms/);
    expect(stdout).toMatch(/append of 2 MB, alone, 3 at once +[\d.,]+, [\d.,]+ ms/);
    const [file = ""] = files();
    expect(stdout).toContain(`Written to ${file}`);
    const text = readFileSync(join(ROOT, file), "utf8");
    expect(JSON.parse(text)).toMatchObject({ format: 1, failures: [], append: { calls: 100, failed: 0 } });
    for (const name of [service.adminToken, "engram_sk_", "127.0.0.1", id, "Acme", "org_"])
      expect(text).not.toContain(name);
    for (const organization of proxy.organizations) expect(await isDeleted(organization)).toBe(true);
  });
});

interface TestServer {
  url: string;
  requests: string[];
  /** Ids of organizations that were created through it. */
  organizations: string[];
  connections(): number;
  close(): void;
}

type Answer = (
  count: number,
  request: { method: string; path: string; headers: Headers; body: Buffer },
) => Promise<number | Response>;

async function serve(answer: Answer): Promise<TestServer> {
  const requests: string[] = [];
  const organizations: string[] = [];
  let connections = 0;
  const server: Server = createServer(async (incoming, outgoing) => {
    const { method = "GET", url: path = "/" } = incoming;
    requests.push(`${method} ${path}`);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const headers = new Headers(incoming.headers as Record<string, string>);
    const result = await answer(requests.length, { method, path, headers, body: Buffer.concat(chunks) });
    const response = typeof result === "number" ? new Response("", { status: result }) : result;
    const text = await response.text();
    if (`${method} ${path}` === "POST /v1/organizations")
      organizations.push(JSON.parse(text).organization.id);
    const timing = response.headers.get("server-timing");
    outgoing.writeHead(response.status, {
      "content-type": response.headers.get("content-type") ?? "text/plain",
      ...(timing === null ? {} : { "server-timing": timing }),
    });
    outgoing.end(text);
  });
  server.on("connection", () => {
    connections += 1;
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    organizations,
    connections: () => connections,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Sends a request on to the service. */
const forward: Answer = (_, { method, path, headers, body }) => {
  for (const name of ["host", "connection", "content-length"]) headers.delete(name);
  return fetch(`${service.url}${path}`, {
    method,
    headers,
    ...(method === "GET" || body.length === 0 ? {} : { body: new Uint8Array(body) }),
  });
};
