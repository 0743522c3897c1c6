import * as contracts from "@engram/spec";
import { describe, expect, test } from "vitest";
import type { AiBinding } from "../../src/platform/ai.ts";
import type { Caller } from "../support/client.ts";
import { Ledger } from "../support/counting.ts";
import { open } from "../support/invocations.ts";

const MODEL = "test/summaries";
const said = (i: number) => `Priya checked ledger ${1_000 + i} of the Kestrel warehouse.`;

interface Prompt {
  messages?: { number: number; text: string }[];
  sentences?: { text: string; cites: number[] }[];
}
type Answer = (prompt: Prompt) => unknown;

/** The first three messages in other words, and claims that nothing says. */
const write: Answer = ({ messages = [], sentences = [] }) => {
  const items = [...messages.map(({ number, text }) => ({ text, cites: [number] })), ...sentences].slice(
    0,
    3,
  );
  const reworded = items.map(({ text, cites }) => ({ text: text.replace("checked", "has checked"), cites }));
  return {
    response: {
      sentences: [
        { text: "Everybody agreed to pay 999 dollars to Mallory.", cites: items[0]?.cites },
        ...reworded,
        { text: items[0]?.text, cites: [70_000] },
      ],
    },
  };
};

async function openWith(answer: Answer) {
  const asked: Prompt[] = [];
  let current = answer;
  const { sameVectors } = new Ledger();
  const AI: AiBinding = {
    run: async (model, input) => {
      if (model !== MODEL) return sameVectors.run(model, input as never);
      const prompt = JSON.parse((input as { messages: { content: string }[] }).messages[1]?.content ?? "");
      asked.push(prompt);
      return current(prompt);
    },
  };
  const world = await open({ AI, SUMMARY_MODEL: MODEL });
  const { id } = await world.caller.call(contracts.createConversation, { body: {} });
  const store = async (from: number, to: number) => {
    await world.append(
      id,
      Array.from({ length: to - from + 1 }, (_, i) => said(from + i)),
    );
    await world.service.settle();
  };
  const sweep = async (ms = 65_000) => {
    world.clock.advance(ms);
    await world.service.sweep();
    await world.service.settle();
  };
  const setAnswer = (next: Answer) => {
    current = next;
  };
  return { ...world, id, params: { conversation_id: id }, asked, store, sweep, setAnswer };
}

const listed = async (caller: Caller, conversation_id: string, level = 1) =>
  (await caller.call(contracts.listSummaries, { params: { conversation_id }, query: { level } })).items;

const fail: Answer = () => {
  throw new Error("3040: Capacity temporarily exceeded");
};

describe("a text model", () => {
  test("writes the sentences, of which those stay that their messages say", async () => {
    const { caller, id, store, sweep } = await openWith(write);
    await store(1, 24);
    await sweep();
    const [made] = await listed(caller, id);
    expect(made).toMatchObject({ model: MODEL, from_sequence: 1, to_sequence: 24 });
    expect(
      made?.sentences.map(({ text, cites }) => [text, cites.map(({ sequence, start }) => [sequence, start])]),
    ).toEqual([1, 2, 3].map((i) => [said(i).replace("checked", "has checked"), [[i, null]]]));
  });

  test("sees only the summaries below for the next level", async () => {
    const { caller, id, store, sweep, asked } = await openWith(write);
    await store(1, 192);
    await sweep();
    const [upper] = await listed(caller, id, 2);
    expect(upper).toMatchObject({ model: MODEL, from_sequence: 1, to_sequence: 192, source_count: 8 });
    const prompt = asked.find(({ sentences }) => sentences !== undefined);
    const below = (await listed(caller, id)).flatMap(({ sentences }) => sentences.map(({ text }) => text));
    expect(prompt?.sentences?.map(({ text }) => text)).toEqual(below);
    expect(prompt?.messages).toBeUndefined();
  });

  test.for<[string, Answer]>([
    ["no JSON", () => ({ response: "I cannot do that." })],
    ["a list of nothing", () => ({ response: { sentences: [] } })],
    [
      "claims alone",
      () => ({ response: { sentences: [{ text: "Mallory gets 999 dollars.", cites: [1] }] } }),
    ],
    ["nothing", () => null],
    [
      "an answer outside of the schema",
      () => {
        throw new Error("JSON Mode couldn't be met");
      },
    ],
  ])("that answers with %s is replaced by verbatim sentences", async ([, answer]) => {
    const { caller, id, store, sweep } = await openWith(answer);
    await store(1, 24);
    await sweep();
    const [made] = await listed(caller, id);
    expect(made?.model).toBeNull();
    expect(made?.sentences[0]?.text).toMatch(/^Priya checked ledger/);
  });

  test("that is down delays a summary and nothing else, and for half an hour at most", async () => {
    const { caller, id, params, store, sweep, setAnswer, asked } = await openWith(fail);
    await store(1, 24);
    await sweep();
    expect(await listed(caller, id)).toEqual([]);
    const once = asked.length;
    await sweep(1_000);
    // It is not asked again at once.
    expect(asked.length).toBe(once);
    const { results }: { results: unknown[] } = await caller.call(contracts.search, {
      body: { query: "ledger 1001", mode: "keyword" },
    });
    expect(results.length).toBeGreaterThan(0);
    setAnswer(write);
    await sweep();
    expect(await listed(caller, id)).toMatchObject([{ model: MODEL }]);
    setAnswer(fail);
    await store(25, 48);
    for (let i = 0; i < 40; i++) await sweep();
    expect(await listed(caller, id)).toMatchObject([{ model: MODEL }, { model: null }]);
    // On request, they are made again by the model.
    setAnswer(write);
    await caller.call(contracts.createSummaries, { params });
    await sweep(1_000);
    expect(await listed(caller, id)).toMatchObject([{ model: MODEL }, { model: MODEL }]);
  });

  test("that is slow stores nothing of a message that was edited meanwhile", async () => {
    const { caller, id, params, store, sweep, setAnswer, asked } = await openWith(write);
    await store(1, 24);
    const { items } = await caller.call(contracts.listMessages, { params, query: { limit: 1 } });
    let edited: Promise<unknown> | null = null;
    setAnswer(async (prompt) => {
      edited ??= caller.call(contracts.updateMessage, {
        params: { ...params, message_id: items[0]?.id ?? "" },
        body: { content: "Zanzibar sells nutmeg." },
      });
      await edited;
      return write(prompt);
    });
    await sweep();
    const [first, second] = asked.map(({ messages = [] }) => messages[0]?.text);
    expect([first, second]).toEqual([said(1), "Zanzibar sells nutmeg."]);
    const made = await listed(caller, id);
    expect(made).toHaveLength(1);
    expect(made[0]?.sentences[0]?.text).toBe("Zanzibar sells nutmeg.");
    const { items: events } = await caller.call(contracts.listEvents, { query: { type: "summary.created" } });
    expect(events).toHaveLength(1);
  });
});
