import { createHash } from "node:crypto";
import { ConversationLine, MemoryLine, MessageLine } from "@engram/spec";
import { nullsOf } from "../../../support/nulls.ts";
import type { ConversationModel, ImportedLine } from "../model/model.ts";
import { Write } from "../model/write.ts";
import { GIVEN_TAG } from "../ports/text-model.ts";
import { AGENT, type Client, USERS } from "./client.ts";
import { chooseFields } from "./messages.ts";
import { randomNote, randomText } from "./texts.ts";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME = "2025-06-01T12:00:00.000Z";

/** An id in the service's format, which sorts by time. */
const ownId = ({ random }: Client): string =>
  `0${Array.from({ length: 19 }, () => ALPHABET.charAt(random.between(0, 31))).join("")}`;

/** Lines in export format, of conversations and memories that do not exist here yet. */
export function composeLines(client: Client): ImportedLine[] {
  const { random } = client;
  const conversations = Array.from({ length: random.between(1, 2) }, () => composeConversation(client));
  const memories = Array.from({ length: random.between(0, 2) }, () => composeMemory(client));
  return [...conversations.flat(), ...memories];
}

function composeConversation(client: Client): ImportedLine[] {
  const { model, organization, random } = client;
  const marker = model.nextMarker();
  const sent = {
    metadata: { marker },
    tags: ["imported"],
    created_at: TIME,
    ...(random.chance(0.3) ? { external_id: `import-${marker}` } : {}),
  };
  const title = `title ${marker}`;
  const conversation = model.addConversation(organization, marker, { sent, title, step: client.step });
  const { creation } = conversation;
  conversation.id = `conv_${ownId(client)}`;
  conversation.landing = new Write(client.step);
  // Some messages were deleted before the export.
  const sequences = Array.from({ length: random.between(0, 7) }, (_, i) => i + 1).filter(
    () => !random.chance(0.2),
  );
  conversation.lastSequence = (sequences.at(-1) ?? 0) + random.between(1, 2);
  const line = {
    ...nullsOf(ConversationLine),
    ...{ type: "conversation", id: conversation.id, title, ...sent },
    ...{ message_count: sequences.length, last_sequence: conversation.lastSequence, updated_at: TIME },
  };
  const messages = sequences.map((sequence) => composeMessage(client, conversation, sequence));
  return [{ line, kind: "conversation", messageId: null, creation }, ...messages];
}

function composeMessage(client: Client, conversation: ConversationModel, sequence: number): ImportedLine {
  const { model, random } = client;
  const marker = model.nextMarker();
  const content = randomText(random, marker);
  const { external_id: _, ...fields } = chooseFields(random, marker);
  const message = model.addMessage(conversation, {
    role: random.pick(["user", "assistant"] as const),
    content,
    metadata: { marker },
    ...fields,
    created_at: TIME,
  });
  const creation = new Write(client.step);
  const messageId = `msg_${ownId(client)}`;
  message.id = messageId;
  message.sequence = sequence;
  message.appends.push(creation);
  message.content.add(content, creation);
  const place = { type: "message", id: messageId, conversation_id: conversation.id, sequence };
  const line = { ...nullsOf(MessageLine), ...place, ...message.sent, stored_at: TIME };
  return { line, kind: "message", messageId, creation };
}

function composeMemory(client: Client): ImportedLine {
  const { model, organization, random } = client;
  const marker = model.nextMarker();
  const content = randomNote(random, marker);
  const sent = {
    content,
    metadata: { marker },
    created_at: TIME,
    ...(random.chance(0.3) ? { agent_id: AGENT } : {}),
    ...(random.chance(0.3) ? { user_id: random.pick(USERS) } : {}),
    ...(random.chance(0.4) ? { tags: [`${GIVEN_TAG}${marker}`, "note"] } : {}),
    ...(random.chance(0.4) ? { summary: `summary ${marker}` } : {}),
  };
  const memory = model.addMemory(organization, sent, client.step);
  const id = ownId(client);
  memory.id = `mem_${id}`;
  memory.landing = new Write(client.step);
  const line = {
    ...nullsOf(MemoryLine),
    ...{ type: "memory", id: memory.id, kind: "note", sources: [], tags: [], version: 1 },
    content_hash: createHash("sha256").update(content).digest("hex"),
    updated_at: TIME,
    ...sent,
    given: { tags: "tags" in sent, summary: "summary" in sent },
  };
  return { line, kind: "memory", messageId: `msg_${id}`, creation: memory.creation };
}
