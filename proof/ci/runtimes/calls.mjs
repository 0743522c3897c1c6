// The calls that every runtime makes with the packed SDK to the running service. Uses only the SDK, its adapters and
// APIs of all runtimes.

/** Make calls of each kind, of adapters where they are given. @throws when one does not do what it should. */
export async function makeCalls(
  { Engram, isEngramError, verifyWebhook, ...adapters },
  { baseUrl, apiKey, runtime },
) {
  const lines = [];
  const log = (_message, fields) => lines.push(fields);
  const logger = { debug: log, warn: log, error: log };
  const engram = new Engram({ baseUrl, apiKey, logger, logLevel: "debug" });

  const { data: conversation, requestId } = await engram.conversations
    .create({ title: `Called from ${runtime}`, metadata: { runtime } })
    .withResponse();
  expect(conversation.title === `Called from ${runtime}`, "a conversation is created");
  expect(requestId === null || requestId.startsWith("req_"), "the answer names its request");

  const content = "The kettle — „Kessel“ 🫖 — leaks.\u0000";
  const messages = Array.from({ length: 30 }, (_, i) => ({ role: "user", content: `${i} ${content}` }));
  await engram.messages.append(conversation.id, { messages, wait: "indexed" });
  const read = [];
  for await (const message of engram.messages.list(conversation.id, { limit: 7 })) read.push(message.content);
  expect(
    read.join() === messages.map((message) => message.content).join(),
    "messages come back as they were",
  );

  const { results } = await engram.search({ query: "leaking kettle", conversation_id: conversation.id });
  expect(results.length > 0, "what was said is found");

  const absent = await failure(engram.conversations.get("conv_00000000000000000000"));
  expect(isEngramError(absent) && absent.status === 404, "an absent conversation is an error");
  expect(
    absent.code === "not_found" && typeof absent.requestId === "string",
    "the error says what and where",
  );
  const { headers } = absent;
  expect(headers.get("content-type")?.startsWith("application/problem+json"), "the error has its headers");

  const ending = new AbortController();
  const reason = new Error("not needed any more");
  const aborted = failure(engram.search({ query: "kettle" }, { signal: ending.signal }));
  ending.abort(reason);
  expect((await aborted) === reason, "an aborted call rejects with its reason");

  let told = 0;
  for await (const line of engram.export()) {
    told += 1;
    if (line.type === "message" && told > 5) break;
  }
  expect(told > 1, "an export is read line by line");

  // Over a WebSocket, or as a stream where there is none, as in Node 20.
  const { after } = await engram.events.list({ after: "now" });
  await engram.conversations.update(conversation.id, { title: "Changed" });
  for await (const { type } of engram.events.listen({ after, signal: AbortSignal.timeout(20_000) })) {
    if (type === "conversation.updated") break;
  }
  await verifySigned(verifyWebhook);

  const { etag } = await engram.conversations.get(conversation.id).withResponse();
  const receipt = await engram.conversations.delete(conversation.id, { ifMatch: etag });
  expect(receipt.type === "delete_conversation", "a conversation is deleted");
  if ("EngramSessionStore" in adapters) await callAdapters(adapters, engram);
  expect(lines.length > 8 && lines.every(({ path }) => !path.includes("?")), "every attempt was logged");
  return `${runtime}: ${lines.length} requests`;
}

/** Signs a request as Standard Webhooks 1.0 specifies, and verifies it with the SDK. */
async function verifySigned(verifyWebhook) {
  const bytes = (text) => new TextEncoder().encode(text);
  const secret = "an example of a secret";
  const data = { id: "evt_00000000000000000000_1", type: "messages.appended" };
  const body = JSON.stringify({ data });
  const timestamp = Math.floor(Date.now() / 1_000);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", bytes(secret), algorithm, false, ["sign"]);
  const signature = await crypto.subtle.sign("HMAC", key, bytes(`${data.id}.${timestamp}.${body}`));
  const headers = {
    "webhook-id": data.id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`,
  };
  const request = (text) =>
    new Request("https://hooks.example.com/", { method: "POST", headers, body: text });
  const event = await verifyWebhook(request(body), `whsec_${btoa(secret)}`);
  expect(event.id === data.id, "the event of a signed request is read");
  const forged = await failure(verifyWebhook(request(`${body} `), `whsec_${btoa(secret)}`));
  expect(forged.code === "wrong_signature", "a changed body is refused");
}

/** The adapters that need only types of their framework, which is not installed here. */
async function callAdapters({ EngramSessionStore, EngramSearchProvider }, engram) {
  const user_id = crypto.randomUUID();
  const sessions = new EngramSessionStore(engram, { user_id });
  const key = { projectKey: user_id, sessionId: crypto.randomUUID() };
  const entry = {
    type: "user",
    uuid: crypto.randomUUID(),
    message: { role: "user", content: "The kettle leaks." },
  };
  await sessions.append(key, [entry, { type: "mode", value: "plan" }]);
  const [first, ...others] = (await sessions.load(key)) ?? [];
  expect(first?.message.content === entry.message.content && others.length === 1, "a transcript comes back");

  const provider = new EngramSearchProvider(engram, { user_id });
  provider.init("memory");
  await provider.set("kettle", "Bring a new kettle.");
  const block = "Conversations to search: 1. Memories to search: 1.";
  expect((await provider.get()) === block, "a block says what there is to search");
  const found = await provider.search("kettle");
  expect(found?.includes("Bring a new kettle."), "a block finds what a model kept");
  expect(found.includes("The kettle leaks."), "a block finds what a transcript says");
  await sessions.delete(key);
  expect((await sessions.load(key)) === null, "a transcript is deleted");
  await engram.users.delete(user_id);
}

function expect(truth, what) {
  if (!truth) throw new Error(`not so: ${what}`);
}

async function failure(call) {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error("not so: the call fails");
}
