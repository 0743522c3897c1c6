// Entry of the attacker's thread. It is separate so that making its requests does not delay the victim's.
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { type Call, seedIds, toRequest } from "../../../../../service/test/support/requests.ts";
import { words } from "./extremes.ts";
import { generatedRequests, operationsOf } from "./generated.ts";
import { attackBySockets } from "./sockets.ts";
import type { Attacked, AttackerSettings } from "./thread.ts";
import {
  type Attack,
  described,
  type Hoard,
  LONE_WORD,
  REPEATED_WORD,
  type Sent,
  UNSPACED,
  worstRequests,
} from "./worst.ts";

const UNREAD_MS = 2_000;
/** A request without a response in this time counts as hanging. */
const ANSWER_MS_MAX = 120_000;
const { url, adminToken, concurrency, hoards, bytes } = workerData as AttackerSettings;

const document: unknown = await (await fetch(`${url}/openapi.json`)).json();
const operations = new Map(operationsOf(document).map((operation) => [operation.id, operation]));
const callAs =
  (secret: string): Call =>
  async (id, { headers, ...parts } = {}) => {
    const operation = operations.get(id);
    if (operation === undefined) throw new Error(`The service has no operation ${id}`);
    const authorized = { ...parts, headers: { authorization: `Bearer ${secret}`, ...headers } };
    const [path, init] = toRequest(operation, authorized);
    const response = await fetch(`${url}${path}`, init);
    if (!response.ok) throw new Error(`${id} was answered ${response.status}: ${await response.text()}`);
    return response.json();
  };
async function found(name: string): Promise<{ id: string; secret: string }> {
  const founded = await callAs(adminToken)("createOrganization", { body: { name } });
  const { organization, key } = founded as { organization: { id: string }; key: { secret: string } };
  return { id: organization.id, secret: key.secret };
}
const own = await found("attacker");
const call = callAs(own.secret);
/** A conversation with these messages. */
async function store(messages: object[] = []): Promise<string> {
  const { id } = (await call("createConversation", { body: {} })) as { id: string };
  const params = { conversation_id: id };
  if (messages.length > 0) await call("appendMessages", { params, body: { messages } });
  return id;
}
const user = (content: string, more: object = {}) => ({ role: "user", content, ...more });
const bySockets = () =>
  attackBySockets({
    url,
    key: own.secret,
    begin: store,
    append: (conversation_id) =>
      call("appendMessages", { params: { conversation_id }, body: { messages: [user("hello")] } }),
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
  const repeated = await store([
    ...Array.from({ length: 2 }, () => user(`${REPEATED_WORD} `.repeat(70_000))),
    ...Array.from({ length: 500 }, (_, i) => user(`The ${REPEATED_WORD} sat on ice floe number ${i}.`)),
  ]);
  const told = Array.from({ length: 100 }, () => user(REPEATED_WORD, { metadata: { note: words(15_000) } }));
  const unspaced: Hoard["unspaced"] = [];
  for (const { name, make: text } of UNSPACED) {
    unspaced.push({ name, id: await store([user(`${LONE_WORD} ${text()}`)]) });
    await call("createMemory", { body: { content: `${LONE_WORD} ${text()}` } });
  }
  const hoard: Hoard = { repeated, described: await store(told), unspaced };
  for (let i = 0; i < hoards; i++) await send(described(100));
  const ids = await seedIds(call, own.id);
  const generated = generatedRequests({ document, call, ids, bytes, found: () => found("short-lived") });
  return [...generated, ...worstRequests(hoard, bytes)];
}

async function send([path, init]: Sent, unread = false): Promise<Response> {
  const controller = new AbortController();
  const response = await fetch(`${url}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${own.secret}`, ...(init.headers as Record<string, string>) },
    signal: AbortSignal.any([controller.signal, AbortSignal.timeout(ANSWER_MS_MAX)]),
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
