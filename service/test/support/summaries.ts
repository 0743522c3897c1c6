import type { Summary } from "@engram/spec";
import * as contracts from "@engram/spec";
import { type Caller, readPages } from "./client.ts";
import { Ledger } from "./counting.ts";
import { open } from "./invocations.ts";

const NAMES = ["Priya", "Tomás", "Yuki", "Ines", "Oluwaseun"];
export const said = (i: number) =>
  `${NAMES[i % NAMES.length]} checked ledger ${1_000 + i} of the Kestrel warehouse. Thanks for that.`;
export const texts = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => said(from + i));

export const TEN_MINUTES = 600_000;

type Query = Record<string, string | number>;
export const listOf = (caller: Caller, conversation_id: string, query: Query = {}) =>
  caller.call(contracts.listSummaries, { params: { conversation_id }, query });
/** All summaries of a conversation. */
export const summariesOf = async (caller: Caller, id: string): Promise<Summary[]> =>
  (
    await readPages(caller, contracts.listSummaries, {
      params: { conversation_id: id },
      query: { limit: 100 },
    })
  ).flatMap(({ items }) => items);
/** Level and range of each summary of a conversation. */
export const places = async (caller: Caller, id: string) =>
  (await summariesOf(caller, id)).map(({ level, from_sequence: from, to_sequence: to, full }) =>
    full ? [level, from, to] : [level, from, to, "open"],
  );

/** Without the work of an embedding model. */
export const AI = new Ledger().sameVectors;

/** A conversation, and how to store messages in it and to have them summarized. */
export async function openConversation(more: object = {}) {
  const world = await open({ AI });
  const { caller, service, append, clock } = world;
  const { id } = await caller.call(contracts.createConversation, { body: more });
  /** Indexes what was appended, and runs the cron. */
  const settle = async () => {
    await service.settle();
    clock.advance(65_000);
    await service.sweep();
    await service.settle();
  };
  const store = async (from: number, to: number) => {
    for (let at = from; at <= to; at += 500) await append(id, texts(at, Math.min(to, at + 499)));
    await settle();
  };
  const params = { conversation_id: id };
  const messageAt = async (sequence: number, of = id) => {
    const { items } = await caller.call(contracts.listMessages, {
      params: { conversation_id: of },
      query: { from_sequence: sequence, to_sequence: sequence },
    });
    return items[0]?.id ?? "";
  };
  const summarize = async (of = id) => {
    const answer = await caller.call(contracts.createSummaries, { params: { conversation_id: of } });
    await service.settle();
    return answer;
  };
  return { ...world, id, params, settle, store, messageAt, summarize };
}
