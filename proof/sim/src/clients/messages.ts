import type { ConversationModel, MessageModel, SentMessage } from "../model/model.ts";
import { mustShowMessage } from "../model/presence.ts";
import { Write } from "../model/write.ts";
import type { Random } from "../random.ts";
import { expect } from "../violation.ts";
import type { Client, Outcome } from "./client.ts";
import { judgeAbsence, keepReceipt, pickConversation } from "./conversations.ts";
import { randomText } from "./texts.ts";
import { chooseForget, isForgotten } from "./tombstones.ts";

type OptionalFields = Omit<SentMessage, "role" | "content" | "metadata">;

/** How often a message has each optional field, and with which values. */
const OPTIONAL: { [Name in keyof OptionalFields]-?: [chance: number, values: OptionalFields[Name][]] } = {
  name: [0.2, ["Maria", "Ωmega"]],
  external_id: [0.2, ["m"]],
  created_at: [0.1, ["2024-02-29T23:59:59.999Z"]],
  parts: [0.1, [[{ type: "text", text: "\0é" }, null, 1.5]]],
  tool_call_id: [0.1, ["call_1"]],
  tool_name: [0.1, ["lookup"]],
};

/** Some of the optional fields. An external id is unique. */
export function chooseFields(random: Random, marker: number): OptionalFields {
  const chosen = Object.entries(OPTIONAL).flatMap(([name, [chance, values]]) =>
    random.chance(chance) ? [[name, random.pick<unknown>(values)] as const] : [],
  );
  const fields: OptionalFields = Object.fromEntries(chosen);
  return fields.external_id === undefined ? fields : { ...fields, external_id: `m-${marker}` };
}

function compose({ model, random }: Client): SentMessage {
  const marker = model.nextMarker();
  return {
    role: random.pick(["user", "assistant", "system", "tool"] as const),
    content: randomText(random, marker),
    metadata: { marker },
    ...chooseFields(random, marker),
  };
}

/** Usually one or two messages, as agents append; sometimes a history. */
function composeSome(client: Client): SentMessage[] {
  const { random } = client;
  const count = random.weigh({ few: 12, some: 3, many: 0.1 });
  const high = { few: 2, some: 9, many: 60 }[count];
  return Array.from({ length: random.between(1, high) }, () => compose(client));
}

/** Appends new messages, sometimes with messages that another client has already sent. */
export async function appendMessages(client: Client): Promise<void> {
  const { random } = client;
  const conversation = pickConversation(client);
  if (conversation === null) return;
  const again = random.chance(0.15)
    ? conversation.messages
        .filter(
          ({ sent, deletions }) =>
            sent.external_id !== undefined && (deletions.length === 0 || random.chance(0.3)),
        )
        .slice(-3)
    : [];
  await append(client, conversation, again);
}

async function append(client: Client, conversation: ConversationModel, again: MessageModel[]): Promise<void> {
  const { model, random } = client;
  const write = new Write(client.step);
  const fresh = composeSome(client).map((sent) => {
    const message = model.addMessage(conversation, sent);
    message.content.add(sent.content, write);
    return message;
  });
  const messages = [...again, ...fresh];
  for (const { appends } of messages) appends.push(write);
  const outcome = await client.ask({
    name: "append",
    method: "POST",
    path: `/v1/conversations/${conversation.id}/messages`,
    body: {
      messages: messages.map(({ sent }) => sent),
      ...(random.chance(0.15) ? { wait: "indexed" } : {}),
    },
    once: random.chance(0.8),
  });
  judgeAbsence(client, conversation, outcome.answer, outcome.span);
  expect(
    outcome.answer?.status !== 409 || isForgotten(client, undefined, outcome.answer, outcome.span),
    "answers",
    () => `appending ${write.sent} meets a conflict`,
  );
  if (client.settle(write, outcome)) takeAppended(conversation, messages, outcome.answer?.body);
}

interface Appended {
  message_ids: string[];
  existing_ids: string[];
  first_sequence: number | null;
  last_sequence: number | null;
}

/** Records the response to an append: new messages have sequences in the order of the request. */
function takeAppended(conversation: ConversationModel, messages: MessageModel[], body: Appended): void {
  const { message_ids: ids, existing_ids: existing, first_sequence: first, last_sequence: last } = body;
  const fresh = messages.filter((_, i) => !existing.includes(ids[i] ?? ""));
  expect(
    ids.length === messages.length &&
      (fresh.length === 0 ? first === null : first !== null && last === first + fresh.length - 1),
    "sequences",
    () => `${fresh.length} messages are appended as ${first} to ${last}`,
  );
  for (const [i, message] of messages.entries()) {
    const place = fresh.indexOf(message);
    const id = ids[i] ?? "";
    if (place < 0 || first === null) {
      expect(message.sent.external_id !== undefined, "answers", () => `${id} was there already`);
      continue;
    }
    // A read may have shown it before, but only under the same id.
    expect(
      message.sent.external_id !== undefined || message.id === null || message.id === id,
      "durable",
      () => `${message.id} is acknowledged as ${id}`,
    );
    message.id = id;
    message.sequence = first + place;
  }
  conversation.lastSequence = Math.max(conversation.lastSequence, last ?? 0);
}

/** Replaces the last messages, if no other client has written since. */
export async function replaceMessages(client: Client): Promise<void> {
  const { model, random } = client;
  const conversation = pickConversation(client);
  if (conversation === null || conversation.lastSequence === 0) return;
  const expected = conversation.lastSequence;
  const from = Math.max(1, expected - random.between(0, 4));
  const write = new Write(client.step);
  const gone = conversation.messages
    .filter(({ sequence }) => sequence === null || sequence >= from)
    .map((message) => ({ message, deletion: new Write(client.step) }));
  for (const { message, deletion } of gone) message.deletions.push(deletion);
  const fresh = (random.chance(0.3) ? [] : composeSome(client)).map((sent) => {
    const message = model.addMessage(conversation, sent);
    message.content.add(sent.content, write);
    message.appends.push(write);
    return message;
  });
  const outcome = await client.ask({
    name: "replace",
    method: "POST",
    path: `/v1/conversations/${conversation.id}/messages/replace`,
    body: {
      expected_last_sequence: expected,
      from_sequence: from,
      messages: fresh.map(({ sent }) => sent),
    },
    once: random.chance(0.8),
  });
  judgeAbsence(client, conversation, outcome.answer, outcome.span);
  const isDone = client.settle(write, outcome);
  const deletedIds: string[] = isDone ? outcome.answer?.body.deleted_ids : [];
  for (const { message, deletion } of gone) {
    if (!isDone) deletion.isRefused = write.isRefused;
    else if (deletedIds.includes(message.id ?? "")) deletion.done = client.step;
    else if (message.id !== null) deletion.isRefused = true;
  }
  if (isDone) takeAppended(conversation, fresh, outcome.answer?.body);
}

/** A message whose id is known; sometimes a deleted one. */
export function pickMessage(client: Client): MessageModel | null {
  const { random } = client;
  const conversation = pickConversation(client);
  const named = conversation?.messages.filter(({ id }) => id !== null) ?? [];
  // Favors the newest messages.
  const newest = random.chance(0.6) ? named.slice(-4) : named;
  return newest[random.between(0, newest.length - 1)] ?? null;
}

export const pathOf = ({ id, conversation }: MessageModel): string =>
  `/v1/conversations/${conversation.id}/messages/${id}`;

export async function updateMessage(
  client: Client,
  message: MessageModel | null = pickMessage(client),
): Promise<void> {
  if (message === null) return;
  const id = message.id;
  const content = randomText(client.random, message.marker);
  const write = new Write(client.step);
  message.content.add(content, write);
  const outcome = await client.ask({
    name: "edit",
    method: "PATCH",
    path: pathOf(message),
    body: { content },
  });
  judgeMessageAbsence(message, id, outcome);
  if (!client.settle(write, outcome)) return;
  const shown = outcome.answer?.body;
  expect(shown.content === content, "verbatim", () => `${message.id} is not edited`);
}

export async function deleteMessage(
  client: Client,
  message: MessageModel | null = pickMessage(client),
): Promise<void> {
  if (message === null) return;
  const id = message.id;
  const write = new Write(client.step);
  message.deletions.push(write);
  const forgets = chooseForget(client, write);
  const path = `${pathOf(message)}${forgets ? "?forget=true" : ""}`;
  const outcome = await client.ask({ name: "delete message", method: "DELETE", path });
  const isDone = client.settle(write, outcome);
  judgeMessageAbsence(message, id, outcome);
  if (!isDone) return;
  keepReceipt(client, "delete_message", id ?? "", outcome.answer?.body);
  // Its tombstone then refuses it, or another client has deleted the tombstone.
  const isSentAgain = forgets && message.sent.external_id !== undefined && client.random.chance(0.5);
  if (isSentAgain) await append(client, message.conversation, [message]);
}

/** @param id The requested id. A message with an external id may have received another id since. */
export function judgeMessageAbsence(message: MessageModel, id: string | null, outcome: Outcome): void {
  if (outcome.answer?.status !== 404 || message.id !== id) return;
  expect(!mustShowMessage(message, outcome.span), "durable", () => `${id} is answered as absent`);
}
