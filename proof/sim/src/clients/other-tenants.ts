import type { ConversationModel } from "../model/model.ts";
import { expect } from "../violation.ts";
import type { Client } from "./client.ts";
import { randomText } from "./texts.ts";

const ATTEMPTS = 5;

/** A conversation of another organization. */
function pickForeign({ model, organization, random }: Client): ConversationModel | undefined {
  const conversations = model.organizations
    .filter((other) => other !== organization)
    .flatMap(({ conversations }) => conversations.filter(({ id }) => id !== null));
  return conversations[random.between(0, conversations.length - 1)];
}

/** Requests another organization's data by its real ids. No response may reveal that it exists. */
export async function accessOtherTenant(client: Client): Promise<void> {
  const { model, organization, random } = client;
  const conversation = pickForeign(client);
  if (conversation === undefined) return;
  const stored = conversation.messages.filter(({ id }) => id !== null);
  const message = stored[random.between(0, stored.length - 1)];
  const memories = conversation.organization.memories.filter(({ id }) => id !== null);
  const memory = memories[random.between(0, Math.max(0, memories.length - 1))];
  const receipt = model.receipts.find((other) => other.organization === conversation.organization);
  const at = `/v1/conversations/${conversation.id}`;
  const atMemory = `/v1/memories/${memory?.id ?? "mem_1"}`;
  const atMessage = `${at}/messages/${message?.id ?? "msg_1"}`;
  const [key] = conversation.organization.keys;
  const marker = model.nextMarker();
  const messages = [{ role: "user", content: randomText(random, marker), metadata: { marker } }];
  const requests = [
    { method: "GET", path: at },
    { method: "GET", path: `${at}/messages` },
    { method: "GET", path: `${at}/messages?newest=5` },
    { method: "GET", path: atMessage },
    { method: "GET", path: atMemory },
    { method: "GET", path: `/v1/index?conversation_id=${conversation.id}` },
    { method: "GET", path: `/v1/operations/${receipt?.operationId ?? "op_1"}` },
    { method: "GET", path: `/v1/keys/${key?.id}` },
    { method: "GET", path: `/v1/organizations/${conversation.organization.id}` },
    { method: "PATCH", path: at, body: { title: "mine" } },
    { method: "PATCH", path: atMessage, body: { content: "mine" } },
    { method: "PATCH", path: atMemory, body: { content: "mine" } },
    { method: "POST", path: `${at}/messages`, body: { messages } },
    { method: "POST", path: `${at}/fork`, body: {} },
    { method: "POST", path: "/v1/index/repair", body: { conversation_id: conversation.id } },
    { method: "DELETE", path: at },
    { method: "DELETE", path: atMessage },
    { method: "DELETE", path: atMemory },
    { method: "DELETE", path: `/v1/keys/${key?.id}` },
  ] as const;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const ask = random.pick(requests);
    const { answer } = await client.ask({ name: "access another tenant", ...ask });
    expect(
      answer === null || answer.status === 404 || answer.status === 401,
      "isolation",
      () => `${ask.method} ${ask.path} answers ${organization.id} ${answer?.status}`,
    );
  }
}

/** Searches within another organization's conversation. */
export async function searchOtherTenant(client: Client): Promise<void> {
  const { organization, random } = client;
  const conversation = pickForeign(client);
  if (conversation === undefined) return;
  const { answer } = await client.ask({
    name: "search of another tenant",
    method: "POST",
    path: "/v1/search",
    body: {
      query: "the refund order",
      mode: random.pick(["hybrid", "semantic", "keyword"]),
      conversation_id: conversation.id,
    },
  });
  expect(
    answer?.status !== 200 || answer.body.results.length === 0,
    "isolation",
    () => `${organization.id} finds what is in ${conversation.id}`,
  );
}
