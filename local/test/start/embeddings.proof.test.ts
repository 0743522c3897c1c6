import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import type { Service } from "../../src/start/service.ts";
import { answerJson, answerVectors, type EndpointServer, openEndpoint } from "../support/endpoint-server.ts";
import { ask, cleanUp, exitCode, makeDataDirectory, runToEnd, start, until } from "./running.ts";

/** Longer than the service's pauses after an outage, on a busy machine. */
const INDEXED_TIMEOUT_MS = 120_000;

const KEY = "sk-secret-0123456789";

afterAll(cleanUp);

type Asked = Pick<Service, "url" | "key">;

/** Ask, and read what is answered. @throws when it is a problem. */
async function read<T>(service: Asked, path: string, body?: unknown): Promise<{ status: number; body: T }> {
  const response = await ask(service, path, body);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return { status: response.status, body: JSON.parse(text) };
}

interface Found {
  results: { messages: { content: string }[] }[];
  degraded: string[];
}

async function search(service: Asked, query: string, mode: "hybrid" | "semantic" = "hybrid"): Promise<Found> {
  const { body } = await read<Found>(service, "/v1/search", { query, mode });
  return body;
}

async function append(service: Asked, content: string, wait?: "indexed") {
  const conversation = await read<{ id: string }>(service, "/v1/conversations", {});
  return await read<{ indexed: boolean }>(service, `/v1/conversations/${conversation.body.id}/messages`, {
    messages: [{ role: "user", content }],
    ...(wait && { wait }),
  });
}

interface Index {
  model: string;
  dimensions: number;
  pending: number;
  last_error: { message: string } | null;
}

const indexOf = async (service: Asked) => (await read<Index>(service, "/v1/index")).body;

const contents = ({ results }: Found) =>
  results.flatMap(({ messages }) => messages.map(({ content }) => content));

const untilIndexed = (service: Asked) => untilSo(async () => (await indexOf(service)).pending === 0);

/** Resolves when the condition holds. Failures count as false, because the service may be restarting. */
async function untilSo(isSo: () => Promise<boolean>): Promise<void> {
  const deadlineMs = Date.now() + INDEXED_TIMEOUT_MS;
  while (!(await isSo().catch(() => false))) {
    if (Date.now() > deadlineMs) throw new Error(`Not so in time: ${isSo}`);
    await sleep(100);
  }
}

describe.concurrent("the service with an embedding endpoint", { timeout: 300_000 }, () => {
  const endpoints: EndpointServer[] = [];
  const open = async (dimensions?: number) => {
    const endpoint = await openEndpoint(answerVectors(dimensions));
    endpoints.push(endpoint);
    return endpoint;
  };
  const variables = (endpoint: EndpointServer, ENGRAM_DATA: string, model = "tiny") => ({
    ...{ ENGRAM_DATA, ENGRAM_EMBEDDINGS: "", ENGRAM_EMBEDDINGS_URL: endpoint.url },
    ...{ ENGRAM_EMBEDDINGS_MODEL: model, ENGRAM_EMBEDDINGS_API_KEY: KEY },
  });
  afterAll(async () => {
    for (const endpoint of endpoints) await endpoint.close();
  });

  it("searches by vectors, by words alone while the endpoint is down, and indexes the rest afterwards", {}, async () => {
    let endpoint = await open();
    const service = await start("run.mjs", variables(endpoint, makeDataDirectory()));
    expect(service.output()).toContain(`  Model    tiny, 16 dimensions, at ${endpoint.url}/v1/embeddings\n`);

    expect(await append(service, "The kettle leaks", "indexed")).toMatchObject({ body: { indexed: true } });
    expect(await indexOf(service)).toMatchObject({ model: "endpoint/tiny/16", dimensions: 16 });
    expect(endpoint.received.at(-1)).toMatchObject({
      model: "tiny",
      headers: { authorization: `Bearer ${KEY}` },
    });
    expect(contents(await search(service, "leaks kettle", "semantic"))).toEqual(["The kettle leaks"]);

    // Only the text that the endpoint rejects is affected.
    endpoint.answer = (received, response) =>
      received.input.some((text) => text.includes("poison"))
        ? answerJson(response, 400, { error: { message: `too long: ${received.input}` } })
        : answerVectors()(received, response);
    await append(service, "A poison pill");
    await untilSo(async () => (await indexOf(service)).last_error !== null);
    expect((await indexOf(service)).last_error?.message).toBe("text_refused: code 5006, status 400");
    expect((await append(service, "A harmless pill", "indexed")).body.indexed).toBe(true);
    endpoint.answer = answerVectors();

    // A restarted workerd still reaches the embedder.
    process.kill(service.workerd, "SIGKILL");
    await until(() => service.output().includes("crashed and was started again"), INDEXED_TIMEOUT_MS);
    await untilSo(async () => (await search(service, "the kettle")).degraded.length === 0);

    await endpoint.close();
    expect((await append(service, "The boiler hums")).status).toBe(201);
    const meanwhile = await search(service, "boiler");
    expect(contents(meanwhile)).toEqual(["The boiler hums"]);
    expect(meanwhile.degraded).toEqual(["semantic"]);

    endpoint = await openEndpoint(answerVectors(), Number(new URL(endpoint.url).port));
    endpoints.push(endpoint);
    expect((await append(service, "The boiler rattles", "indexed")).body.indexed).toBe(true);
    expect(contents(await search(service, "rattles", "semantic"))).toContain("The boiler rattles");
    // After the service's pause that follows a failed run.
    await untilIndexed(service);
    expect(contents(await search(service, "hums", "semantic"))[0]).toBe("The boiler hums");
    const told = service.output().match(/^The embeddings endpoint .*$/gm) ?? [];
    expect(told[0]).toContain("ECONNREFUSED");
    expect(told.at(-1)).toBe("The embeddings endpoint answers again.");
    expect(service.output()).not.toContain(KEY);
    // The endpoint's error message repeats the rejected text.
    expect(service.output()).not.toMatch(/poison|too long/);
  });

  it("never compares vectors of two models, nor of two sizes", async () => {
    const endpoint = await open();
    const ENGRAM_DATA = makeDataDirectory();
    const first = await start("run.mjs", variables(endpoint, ENGRAM_DATA));
    await append(first, "The kettle leaks", "indexed");

    // Changed while the service runs: vectors of two sizes are not mixed.
    endpoint.answer = answerVectors(8);
    expect((await search(first, "kettle")).degraded).toEqual(["semantic"]);
    await until(() => first.output().includes("8 dimensions, where the index has 16"), 10_000);
    first.launcher.kill("SIGTERM");
    await exitCode(first.launcher);

    const second = await start("run.mjs", variables(endpoint, ENGRAM_DATA));
    expect(await indexOf(second)).toMatchObject({ model: "endpoint/tiny/8", dimensions: 8 });
    const found = await search(second, "kettle");
    expect(contents(found)).toEqual(["The kettle leaks"]);
    expect(found.degraded).toEqual(["model_mismatch"]);

    await read(second, "/v1/index/repair", {});
    await untilSo(async () =>
      contents(await search(second, "kettle", "semantic")).includes("The kettle leaks"),
    );
    expect((await search(second, "kettle")).degraded).toEqual([]);
    for (const { output } of [first, second]) expect(output()).not.toContain(KEY);
    for (const file of filesIn(ENGRAM_DATA)) expect(readFileSync(file).includes(KEY), file).toBe(false);
  });

  it("does not start for the first time while the endpoint does not respond, and says why in two lines", async () => {
    const endpoint = await open();
    await endpoint.close();
    const { code, output } = await runToEnd({ ...variables(endpoint, makeDataDirectory()), PORT: "0" });
    expect(code).toBe(1);
    expect(output.split("\n")).toEqual([
      `The embeddings endpoint ${endpoint.url}/v1/embeddings (model "tiny") fails: ` +
        `ECONNREFUSED ${new URL(endpoint.url).host}.`,
      expect.stringContaining("Check ENGRAM_EMBEDDINGS_URL"),
      "",
    ]);
  });

  it("searches by the model of sentences, keeps it, and tells when another replaces it", async () => {
    const ENGRAM_DATA = makeDataDirectory();
    const variables = (ENGRAM_EMBEDDINGS: string) => ({ ENGRAM_DATA, ENGRAM_EMBEDDINGS });
    const first = await start("run.mjs", variables("sentences"));
    const sentences = { model: "engram/all-minilm-l6-v2-128", dimensions: 384 };
    expect(first.output()).toContain("  Model    all-MiniLM-L6-v2, 384 dimensions, on this machine\n");
    expect(await indexOf(first)).toMatchObject(sentences);
    await append(first, "How do I get my cake out of the mold?", "indexed");
    await append(first, "Lena wants refunds on her card, never as store credit.", "indexed");
    const [nearest] = contents(await search(first, "How do I get my money back?", "semantic"));
    expect(nearest).toBe("Lena wants refunds on her card, never as store credit.");
    first.launcher.kill("SIGTERM");
    expect(await exitCode(first.launcher)).toBe(0);

    const second = await start("run.mjs", variables(""));
    expect(await indexOf(second)).toMatchObject(sentences);
    expect((await search(second, "refunds")).degraded).toEqual([]);
    second.launcher.kill("SIGTERM");
    await exitCode(second.launcher);

    const third = await start("run.mjs", variables("words"));
    for (const { output } of [first, second]) expect(output()).not.toContain("has changed");
    expect(third.output()).toContain("The embedding model has changed.");
    const [, repair = ""] = /^ +(curl .*repair .*)$/m.exec(third.output()) ?? [];
    expect((await search(third, "refunds")).degraded).toEqual(["model_mismatch"]);
    execFileSync("sh", ["-c", repair]);
    await untilSo(async () => (await search(third, "refunds")).degraded.length === 0);
  });

  it("does not start with invalid settings, and says why in one line", async () => {
    const ENGRAM_DATA = makeDataDirectory();
    const { code, output } = await runToEnd({ ENGRAM_DATA, ENGRAM_EMBEDDINGS: "gpt", PORT: "0" });
    expect(code).toBe(1);
    expect(output).toMatch(/^ENGRAM_EMBEDDINGS must be "words" or "sentences", not "gpt".*\n$/);
  });
});

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
