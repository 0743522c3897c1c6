import { describe, expect, inject, test } from "vitest";
import { ApiError, Engram, type Event, type Message } from "../src/index.ts";
import { take, takeSequences } from "./support/client.ts";
import { json, problem, reset, serve } from "./support/fault-server.ts";

const event = (sequence: number, more: object = {}) => ({ sequence, type: "conversation.created", ...more });
const page = (after: number, ...items: object[]) => json(200, { items, after, oldest: 1, caught_up: true });
const messages = (...sequences: number[]) =>
  json(200, { items: sequences.map((sequence) => ({ sequence })), next_cursor: null });

const noSocket = { webSocket: null };
const noStream = problem(404, "not_found");

const queries = (attempts: { url: string | undefined }[]) =>
  attempts.map(({ url }) => new URL(url ?? "", "http://engram.test").searchParams);

describe("listen without streamed responses", () => {
  test("continues from its position after any temporary failure, and yields each event once", async () => {
    const { client, attempts } = await serve(
      noStream,
      page(7),
      page(9, event(8), event(9)),
      reset,
      problem(503, "unavailable"),
      problem(429, "rate_limited", { "retry-after": "0" }),
      page(12, event(11)),
      page(13, event(13)),
    );
    expect(await takeSequences(client(noSocket).events.listen({ conversation_id: "conv_1" }), 4)).toEqual([
      8, 9, 11, 13,
    ]);
    const sent = queries(attempts).slice(1);
    expect(sent.map((query) => query.get("after"))).toEqual(["now", "7", "9", "9", "9", "9", "12"]);
    expect(sent.map((query) => query.get("wait_seconds"))).toEqual([null, ...Array(6).fill("25")]);
    expect(new Set(sent.map((query) => query.get("conversation_id")))).toEqual(new Set(["conv_1"]));
  });

  test.for([
    [401, "unauthenticated"],
    [403, "forbidden"],
    [410, "cursor_expired"],
  ] as const)("throws %i %s at once", async ([status, code]) => {
    const { client, attempts } = await serve(problem(status, code));
    const error = await take(client(noSocket).events.listen({ after: 1 }), 1).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status, code });
    expect(attempts).toHaveLength(1);
  });

  test("ends with the reason of its signal, also while it waits", async () => {
    const controller = new AbortController();
    const { client } = await serve(page(1), () => controller.abort(new Error("enough")));
    const listening = take(client(noSocket).events.listen({ signal: controller.signal }), 1);
    await expect(listening).rejects.toThrow("enough");
  });
});

describe("follow", () => {
  test("yields the stored messages, then those that events announce, each once", async () => {
    const { client, attempts } = await serve(
      page(5),
      messages(1, 2),
      noStream,
      // Announces messages that were read already, and then new ones.
      page(6, event(6, { type: "messages.appended", last_sequence: 2 })),
      page(7, event(7, { type: "messages.appended", last_sequence: 4 })),
      messages(3, 4),
      page(8, event(8, { type: "conversation.deleted", last_sequence: null })),
    );
    expect(await takeSequences(client(noSocket).conversations.follow("conv_1"), 9)).toEqual([1, 2, 3, 4]);
    expect(queries(attempts).map((query) => query.get("from_sequence"))).toEqual([
      null,
      "1",
      null,
      null,
      null,
      "3",
      null,
    ]);
  });

  test("yields every message even if its position has expired", async () => {
    const { client } = await serve(
      page(5),
      messages(3),
      problem(410, "cursor_expired"),
      page(90),
      messages(4, 5),
      noStream,
      page(91, event(91, { type: "conversation.deleted", last_sequence: null })),
    );
    expect(await takeSequences(client(noSocket).conversations.follow("conv_1", { after: 2 }), 9)).toEqual([
      3, 4, 5,
    ]);
  });

  test("yields each message of a running service once, in order, while others append", async () => {
    const client = new Engram({ apiKey: inject("key"), baseUrl: inject("url") });
    const { id } = await client.conversations.create();
    const append = (content: string) => client.messages.append(id, { messages: [{ role: "user", content }] });
    await append("0");
    const following: Promise<Message[]> = take(client.conversations.follow(id), 21);
    const listening: Promise<Event[]> = take(
      client.events.listen({ after: 0, conversation_id: id, type: ["messages.appended"] }),
      21,
    );
    for (let i = 1; i <= 20; i++) await append(`${i}`);
    const contents = (await following).map(({ content }) => content);
    expect(contents).toEqual(Array.from({ length: 21 }, (_, i) => `${i}`));
    expect((await listening).map(({ first_sequence }) => first_sequence)).toEqual(
      Array.from({ length: 21 }, (_, i) => i + 1),
    );
  });

  test("throws `not_found` for a conversation that does not exist", async () => {
    const client = new Engram({ apiKey: inject("key"), baseUrl: inject("url") });
    await expect(take(client.conversations.follow("conv_none"), 1)).rejects.toMatchObject({
      code: "not_found",
    });
  });
});
