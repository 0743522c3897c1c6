// Entry of the attacker's thread. It is separate so that making its requests does not delay the victim's.
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { readOperations } from "../isolation/operations.ts";
import { everyKind, type Founded } from "../isolation/recipes.ts";
import { type Request, Requester } from "../isolation/requester.ts";
import { words } from "./extremes.ts";
import { generatedRequests } from "./generated.ts";
import { attackBySockets } from "./sockets.ts";
import type { Attacked, AttackerSettings } from "./thread.ts";
import {
  type Attack,
  described,
  type Hoard,
  LONE_WORD,
  REPEATED_WORD,
  UNSPACED,
  worstRequests,
} from "./worst.ts";

const UNREAD_MS = 2_000;
/** A request without a response in this time counts as hanging. */
const ANSWER_MS_MAX = 120_000;
const { url, adminToken, concurrency, hoards, bytes } = workerData as AttackerSettings;

const operator = new Requester(url, adminToken);
const own = await operator.make<Founded>("POST", "/v1/organizations", { name: "attacker" });
const requester = new Requester(url, own.key.secret);
const bySockets = () =>
  attackBySockets({
    url,
    key: own.key.secret,
    begin: async () => (await requester.make<{ id: string }>("POST", "/v1/conversations", {})).id,
    append: (id) =>
      requester.make("POST", `/v1/conversations/${id}/messages`, {
        messages: [{ role: "user", content: "hello" }],
      }),
  });

/** Ways to attack. Each resolves to the status of its response and what was wrong. */
type Act = () => Promise<Pick<Attacked, "status" | "refusal">>;

const attacks: { name: string; act: Act }[] = [
  ...(await prepare()).map((attack) => ({ name: attack.name, act: () => request(attack) })),
  { name: "frames of sockets", act: async () => ({ status: 101, refusal: await bySockets() }) },
];
parentPort?.postMessage({ attacks: attacks.length });
parentPort?.on("message", async () => {
  const all = [...attacks];
  const lane = async () => {
    for (let attack = all.shift(); attack !== undefined; attack = all.shift()) {
      parentPort?.postMessage(await run(attack));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  parentPort?.postMessage("done");
});

/** Stores the data whose processing is most expensive: repeated words, metadata, texts that all match, and texts without words. */
async function prepare(): Promise<Attack[]> {
  const make = async (messages: object[]): Promise<string> => {
    const { id } = await requester.make<{ id: string }>("POST", "/v1/conversations", {});
    await requester.make("POST", `/v1/conversations/${id}/messages`, { messages });
    return id;
  };
  const user = (content: string, more: object = {}) => ({ role: "user", content, ...more });
  const repeated = await make([
    ...Array.from({ length: 2 }, () => user(`${REPEATED_WORD} `.repeat(70_000))),
    ...Array.from({ length: 500 }, (_, i) => user(`The ${REPEATED_WORD} sat on ice floe number ${i}.`)),
  ]);
  const told = Array.from({ length: 100 }, () => user(REPEATED_WORD, { metadata: { note: words(15_000) } }));
  const unspaced: Hoard["unspaced"] = [];
  for (const { name, make: text } of UNSPACED) {
    unspaced.push({ name, id: await make([user(`${LONE_WORD} ${text()}`)]) });
    await requester.make("POST", "/v1/memories", { content: `${LONE_WORD} ${text()}` });
  }
  const hoard: Hoard = { repeated, described: await make(told), unspaced };
  for (let i = 0; i < hoards; i++) await send(described(100));
  const found = async () => {
    const founded = await operator.make<Founded>("POST", "/v1/organizations", { name: "short-lived" });
    return { id: founded.organization.id, secret: founded.key.secret };
  };
  const document: unknown = await (await fetch(`${url}/openapi.json`)).json();
  const operations = await readOperations(url);
  const ids = await everyKind(requester, own);
  const generated = generatedRequests({ document, operations, requester, own: ids, bytes, found });
  return [...generated, ...worstRequests(hoard, bytes)];
}

async function send({ method, path, headers, body }: Request, unread = false): Promise<Response> {
  const controller = new AbortController();
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${own.key.secret}`, ...headers },
    signal: AbortSignal.any([controller.signal, AbortSignal.timeout(ANSWER_MS_MAX)]),
    ...(body === undefined ? {} : { body }),
  });
  // A stream of events is held open for a while: it would last for minutes.
  const isStream = response.headers.get("content-type") === "text/event-stream";
  if (!unread && !isStream) return new Response(await response.arrayBuffer(), { status: response.status });
  await sleep(UNREAD_MS);
  controller.abort();
  return new Response(null, { status: response.status });
}

async function request({ make, expected, unread }: Attack): ReturnType<Act> {
  const response = await send(await make(), unread);
  const { status } = response;
  const refusal = expected.includes(status) ? null : (await response.text()).slice(0, 500);
  return { status, refusal };
}

async function run({ name, act }: (typeof attacks)[number]): Promise<Attacked> {
  const fromMs = Date.now();
  try {
    return { name, fromMs, ...(await act()), untilMs: Date.now() };
  } catch (error) {
    const { message, cause } = error as Error;
    return { name, fromMs, untilMs: Date.now(), status: 0, refusal: `${message}: ${cause}` };
  }
}
