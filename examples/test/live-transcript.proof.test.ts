import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { afterAll, expect, inject, test } from "vitest";

const SERVER = join(import.meta.dirname, "../live-transcript/server.ts");
const service = { url: inject("url"), key: inject("key") };
const running: ChildProcess[] = [];

afterAll(() => {
  for (const child of running) child.kill();
});

/** Starts the page for a conversation. Resolves to what it printed, once it serves or has ended. */
function start(...conversation: string[]): Promise<string> {
  const env = { ...process.env, ENGRAM_URL: service.url, ENGRAM_API_KEY: service.key, PORT: "0" };
  const child = spawn(process.execPath, [SERVER, ...conversation], { env });
  running.push(child);
  return new Promise((done) => {
    child.stdout.on("data", (data: Buffer) => done(`${data}`));
    child.stderr.on("data", (data: Buffer) => done(`${data}`));
  });
}

async function post(path: string, body: object): Promise<{ id: string }> {
  const response = await fetch(`${service.url}/v1/conversations${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return (await response.json()) as { id: string };
}

/** The first blocks of the page's stream. */
async function read(url: string, blocks: number, headers: Record<string, string> = {}): Promise<string[]> {
  const { body } = await fetch(`${url}/messages`, { headers });
  let text = "";
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    if (text.split("\n\n").length > blocks) break;
  }
  return text.split("\n\n").slice(0, blocks);
}

test("examples/live-transcript prints messages as they arrive, continues after the last one, and hides the key", {
  timeout: 30_000,
}, async () => {
  const { id } = await post("", { title: "Harbour" });
  const say = (content: string) => post(`/${id}/messages`, { messages: [{ role: "user", content }] });
  await say("one");
  const output = await start(id);
  expect(output).toContain("Harbour at http:");
  const url = /http:\S+/.exec(output)?.[0] ?? "";
  const page = await (await fetch(url)).text();
  expect(page).toContain("Live transcript");
  const reading = read(url, 2);
  await say("<b>two</b>");
  const [first, second = ""] = await reading;
  expect(first).toContain('{"role":"user","name":null,"content":"one"}');
  expect(second).toContain("<b>two</b>");
  expect(second).toContain("id: 2");
  expect(await read(url, 1, { "last-event-id": "1" })).toEqual([second]);
  expect(`${page}${first}${second}`).not.toContain(service.key);
});

test("examples/live-transcript says why it cannot start", async () => {
  expect(await start()).toContain("Name the conversation");
  expect(await start("conv_unknown")).toContain("There is no such conversation");
});
