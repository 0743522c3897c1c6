import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { ConnectionError, type ImportProgress } from "../src/index.ts";
import { clientOf } from "./support/client.ts";
import { type Behaviour, cutOff, json, problem, rejection, reset, serve } from "./support/fault-server.ts";

const BYTES_MAX = 2_000_000;
const end = { type: "end", complete: true, conversations: 0, messages: 0 } as const;

const ID = "op_00000000000000000001";

/**
 * A client of a service that counts every line as a new message, but rejects those with "broken". Its import has
 * received `done` lines. It responds to other requests once `ready` resolves.
 */
function countingService(done = 0, ready: () => Promise<unknown> = turn) {
  const bodies: string[] = [];
  const asked: string[] = [];
  let isBusy = false;
  const fetch = async (request: Request) => {
    expect(isBusy).toBe(false);
    const { pathname, search } = new URL(request.url);
    asked.push(`${request.method} ${pathname}${search}`);
    isBusy = true;
    if (pathname !== "/v1/imports/lines") {
      await ready();
      isBusy = false;
      return Response.json({ id: ID, type: "import", lines_processed: done });
    }
    const body = await request.text();
    bodies.push(body);
    await turn();
    isBusy = false;
    const lines = body.split("\n").slice(0, -1);
    const problems = lines.flatMap((line, i) =>
      line.includes("broken") ? [{ line: i + 1, code: "invalid_json" as const, detail: line }] : [],
    );
    const messages = { created: lines.length - problems.length, existing: 0 };
    const memories = { created: 1, existing: 2 };
    const conversations = { created: 0, existing: 1 };
    return Response.json({ conversations, messages, memories, memory_versions: conversations, problems });
  };
  return { asked, bodies, client: clientOf(fetch) };
}

describe("an import by the SDK", () => {
  test("counts nothing for what a service of an earlier version does not have", async () => {
    const counts = { created: 1, existing: 2 };
    const earlier = { conversations: counts, messages: counts, memories: counts, problems: [] };
    const client = clientOf(async () => Response.json(earlier));
    expect(await client.import(["{}"])).toEqual({
      ...earlier,
      memory_versions: { created: 0, existing: 0 },
      recalls: { created: 0, existing: 0 },
      skipped: [],
      operation_id: null,
    });
  });

  test("sends 1,000 lines per request, one request after the other, and adds up the results", async () => {
    const { asked, bodies, client } = countingService();
    const lines = Array.from({ length: 2_500 }, (_, i) => (i === 7 || i === 2_400 ? `broken ${i}` : `${i}`));
    const seen: ImportProgress[] = [];
    const imported = await client.import(lines, { onProgress: (progress) => seen.push(progress) });
    expect(bodies.map((body) => body.split("\n").length - 1)).toEqual([1_000, 1_000, 500]);
    expect(bodies.join("")).toBe(lines.map((line) => `${line}\n`).join(""));
    expect(imported).toEqual({
      conversations: { created: 0, existing: 3 },
      messages: { created: 2_498, existing: 0 },
      memories: { created: 3, existing: 6 },
      memory_versions: { created: 0, existing: 3 },
      recalls: { created: 0, existing: 0 },
      problems: [
        { line: 8, code: "invalid_json", detail: "broken 7" },
        { line: 2_401, code: "invalid_json", detail: "broken 2400" },
      ],
      skipped: [],
      operation_id: ID,
    });
    expect(asked).toEqual([
      "POST /v1/imports",
      `POST /v1/imports/lines?operation_id=${ID}&after_line=0&last=false`,
      `POST /v1/imports/lines?operation_id=${ID}&after_line=1000&last=false`,
      `POST /v1/imports/lines?operation_id=${ID}&after_line=2000&last=true`,
    ]);
    expect(seen.map(({ lines, messages, problems }) => [lines, messages.created, problems.length])).toEqual([
      [1_000, 999, 1],
      [2_000, 1_999, 1],
      [2_500, 2_498, 2],
    ]);
    expect(new Set(seen.map(({ operation_id }) => operation_id))).toEqual(new Set([ID]));
  });

  test("that fits into one request creates no operation", async () => {
    const { asked, client } = countingService();
    const seen: ImportProgress[] = [];
    const lines = Array.from({ length: 1_000 }, (_, i) => `${i}`);
    const imported = await client.import(lines, { onProgress: (progress) => seen.push(progress) });
    expect(asked).toEqual(["POST /v1/imports/lines"]);
    expect(imported).toMatchObject({ messages: { created: 1_000 }, operation_id: null });
    expect(seen).toEqual([{ ...imported, lines: 1_000 }]);
  });

  test("resumes an operation one request before its position, and counts lines from the start", async () => {
    const { asked, bodies, client } = countingService(1_500);
    // The response to the first request may have been lost.
    const lines = Array.from({ length: 2_600 }, (_, i) => (i === 1_400 || i === 1_501 ? "broken" : `${i}`));
    const seen: number[] = [];
    const imported = await client.import(lines, {
      operationId: ID,
      onProgress: (progress) => seen.push(progress.lines),
    });
    expect(asked).toEqual([
      `GET /v1/operations/${ID}`,
      `POST /v1/imports/lines?operation_id=${ID}&after_line=500&last=false`,
      `POST /v1/imports/lines?operation_id=${ID}&after_line=1500&last=false`,
      `POST /v1/imports/lines?operation_id=${ID}&after_line=2500&last=true`,
    ]);
    expect(seen).toEqual([500, 1_500, 2_500, 2_600]);
    expect(bodies.join("")).toBe(
      lines
        .slice(500)
        .map((line) => `${line}\n`)
        .join(""),
    );
    expect(imported).toMatchObject({
      messages: { created: 2_098, existing: 0 },
      problems: [{ line: 1_401 }, { line: 1_502 }],
      operation_id: ID,
    });
  });

  test("that resumes loses no line of a file that is read during the request for the position", async () => {
    const file = join(tmpdir(), `engram-import-${randomUUID()}`);
    await writeFile(file, "a\nb\nc\n");
    onTestFinished(() => rm(file));
    const input = createInterface({ input: createReadStream(file) });
    const isRead = once(input, "close");
    const { bodies, client } = countingService(1_001, () => isRead);
    await client.import(input, { operationId: ID });
    expect(bodies).toEqual(["b\nc\n"]);
  });

  test.for([
    ["has received all lines", 2],
    ["has no lines", 0],
  ])("completes an operation that %s", async ([, done]) => {
    const { asked, bodies, client } = countingService(Number(done));
    const lines = Array.from({ length: Number(done) }, (_, i) => `${i}`);
    await client.import(lines, { operationId: ID });
    expect(asked.slice(1)).toEqual([`POST /v1/imports/lines?operation_id=${ID}&after_line=0&last=true`]);
    expect(bodies).toEqual([lines.map((line) => `${line}\n`).join("")]);
  });

  test("sends at most 2 MB per request, and a longer line alone", async () => {
    const { bodies, client } = countingService();
    const line = "é".repeat(450_000);
    await client.import([
      line,
      line,
      line,
      "x".repeat(BYTES_MAX),
      "y".repeat(30),
      "z".repeat(BYTES_MAX - 32),
    ]);
    const sizes = bodies.map((body) => new TextEncoder().encode(body).byteLength);
    expect(sizes).toEqual([1_800_002, 900_001, BYTES_MAX + 1, BYTES_MAX]);
  });

  test("sends each of the service's largest messages in a separate request", async () => {
    const { bodies, client } = countingService();
    const message = {
      content: "漢".repeat(333_333),
      metadata: { text: "x".repeat(16_000) },
      parts: ["x".repeat(499_000)],
    };
    await client.import(Array.from({ length: 3 }, () => JSON.stringify(message)));
    expect(bodies.map((body) => body.split("\n").length - 1)).toEqual([1, 1, 1]);
    // A million control characters are six million bytes of JSON, which fit into one request.
    await client.import([JSON.stringify({ ...message, content: "\u0001".repeat(1_000_000) }), "a", "b"]);
    expect(bodies.slice(3).map((body) => body.split("\n").length - 1)).toEqual([1, 2]);
  });

  test("sends at most 100,000 fields and items per request", async () => {
    const { bodies, client } = countingService();
    const line = JSON.stringify({ metadata: Array.from({ length: 8_000 }, () => 0) });
    await client.import(Array.from({ length: 25 }, () => line));
    const values = bodies.map((body) => (body.split("\n").length - 1) * 8_001);
    expect(values.reduce((sum, count) => sum + count, 0)).toBe(25 * 8_001);
    expect(Math.max(...values)).toBeLessThanOrEqual(100_000);
  });

  test("accepts objects and strings, with or without line ends, from any iterable", async () => {
    const { bodies, client } = countingService();
    await client.import([end, '{"a":1}', '{"b":2}\n', '{"c":3}\r\n', ""]);
    await client.import(new Set(["x"]));
    await client.import(
      (async function* () {
        yield "y";
      })(),
    );
    expect(bodies).toEqual([`${JSON.stringify(end)}\n{"a":1}\n{"b":2}\n{"c":3}\n\n`, "x\n", "y\n"]);
    expect(await rejection(client.import(['{\n"a":1}']))).toBeInstanceOf(TypeError);
  });

  test("without lines sends nothing", async () => {
    const { asked, client } = countingService();
    expect((await client.import([])).problems).toEqual([]);
    expect(asked).toEqual([]);
  });

  test("reads its input no faster than it sends", async () => {
    const { bodies, client } = countingService();
    let ahead = 0;
    let read = 0;
    await client.import(
      (async function* () {
        for (; read < 5_500; read++) {
          ahead = Math.max(ahead, read - 1_000 * bodies.length);
          yield `${read}`;
        }
      })(),
    );
    expect(read).toBe(5_500);
    expect(ahead).toBeLessThanOrEqual(1_000);
  });
});

describe("an import by the SDK over an unreliable connection", () => {
  const ok = json(200, {
    conversations: { created: 1, existing: 0 },
    messages: { created: 0, existing: 0 },
    memories: { created: 0, existing: 0 },
    memory_versions: { created: 0, existing: 0 },
    recalls: { created: 0, existing: 0 },
    problems: [],
  });
  test.for<[string, Behaviour]>([
    ["a lost response", reset],
    ["a partial response", cutOff],
    ["503", problem(503, "unavailable", { "retry-after": "0" })],
  ])("retries a request after %s, since imports are idempotent", async ([, fault]) => {
    const { attempts, client } = await serve(fault, ok);
    expect((await client().import(["a"])).conversations.created).toBe(1);
    expect(attempts.map(({ method, url, body }) => [method, url, body])).toEqual([
      ["POST", "/v1/imports/lines", "a\n"],
      ["POST", "/v1/imports/lines", "a\n"],
    ]);
    expect(attempts[0]?.headers["content-type"]).toBe("application/x-ndjson");
  });

  test("gives up after the last retry, and closes its input", async () => {
    const { attempts, client } = await serve(json(202, { id: ID }), ok, reset);
    let isClosed = false;
    const lines = (function* () {
      try {
        for (let i = 0; i < 9_000; i++) yield "a";
      } finally {
        isClosed = true;
      }
    })();
    expect(await rejection(client().import(lines))).toBeInstanceOf(ConnectionError);
    expect(attempts).toHaveLength(2 + 3);
    expect(isClosed).toBe(true);
  });

  test("stops after a rejection and after an abort", async () => {
    const { attempts, client } = await serve(problem(403, "forbidden"));
    expect(await rejection(client().import(["a"]))).toMatchObject({ code: "forbidden" });
    const reason = new Error("enough");
    const signal = AbortSignal.abort(reason);
    expect(await rejection(client().import(["a"], { signal }))).toBe(reason);
    expect(attempts).toHaveLength(1);
  });
});
