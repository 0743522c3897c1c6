import { Engram } from "@engram/sdk";

/** Variables that the examples of the SDK's reference assume, in a new organization. */
export async function createFixtures() {
  const baseUrl = process.env.ENGRAM_URL ?? "";
  const adminToken = process.env.ENGRAM_ADMIN_TOKEN ?? "";
  const operator = new Engram({ apiKey: adminToken, baseUrl });
  const { organization, key: first } = await operator.organizations.create({ name: "Acme" });
  const engram = new Engram({ apiKey: first.secret, baseUrl });
  const { id } = await engram.conversations.create({ title: "Refund", user_id: "user_4711" });
  const content = "Where is my refund?";
  await engram.messages.append(id, { messages: [{ role: "user", content }] });
  const { messages, ...conversation } = await engram.conversations.get(id);
  const [message] = messages.items;
  if (message === undefined) throw new Error("The message was not stored.");
  const memory = await engram.memories.create({
    content: "Refunds take three days.",
    agent_id: "support-bot",
  });
  const key = await engram.keys.create({ name: "reader", scopes: ["read"] });
  const operation = await engram.index.repair();
  const { key: others } = await operator.organizations.create({ name: "Umbrella" });
  const other = new Engram({ apiKey: others.secret, baseUrl });
  return {
    baseUrl,
    adminToken,
    operator,
    engram,
    other,
    organization,
    conversation,
    message,
    memory,
    key,
    operation,
  };
}
