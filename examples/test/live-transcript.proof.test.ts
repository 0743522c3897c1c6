import { expect, test } from "vitest";
import { call, service, start } from "./support/start.ts";

/** Starts the page for a conversation. Resolves to what it printed first. */
async function startFor(...args: string[]): Promise<string> {
  const page = start("live-transcript/server.ts", { args });
  await expect.poll(() => page.printed, { timeout: 20_000 }).toMatch(/\n$/);
  return page.printed;
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
  const { id } = await call<{ id: string }>("/conversations", { title: "Harbour" });
  const say = (content: string) =>
    call(`/conversations/${id}/messages`, { messages: [{ role: "user", content }] });
  await say("one");
  const output = await startFor(id);
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
  expect(await startFor()).toContain("Name the conversation");
  expect(await startFor("conv_unknown")).toContain("There is no such conversation");
});
