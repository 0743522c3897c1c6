import { once } from "node:events";
import { createWriteStream } from "node:fs";

/** Write a ChatGPT export of chats of ten messages each. */
export async function writeLargeExport(
  file: string,
  { messages, messageCharacters }: { messages: number; messageCharacters: number },
): Promise<void> {
  const text = "All work and no play. ".repeat(Math.ceil(messageCharacters / 22)).slice(0, messageCharacters);
  const output = createWriteStream(file);
  for (let chat = 0; chat < messages / 10; chat += 1) {
    const lead = chat === 0 ? "[" : ",";
    if (!output.write(lead + JSON.stringify(toChat(chat, text)))) await once(output, "drain");
  }
  output.end("]");
  await once(output, "close");
}

function toChat(chat: number, text: string) {
  const at = 1_700_000_000 + chat * 100;
  const ids = Array.from({ length: 10 }, (_, i) => `m${chat}-${i}`);
  const nodes = ids.map((id, i) => ({
    id,
    parent: i === 0 ? null : ids[i - 1],
    children: ids.slice(i + 1, i + 2),
    message: {
      id,
      author: { role: i % 2 === 0 ? "user" : "assistant" },
      create_time: at + i,
      content: { content_type: "text", parts: [`${chat}/${i} ${text}`] },
    },
  }));
  return {
    id: `chat-${chat}`,
    title: `Chat ${chat}`,
    create_time: at,
    current_node: ids.at(-1),
    mapping: Object.fromEntries(nodes.map((node) => [node.id, node])),
  };
}
