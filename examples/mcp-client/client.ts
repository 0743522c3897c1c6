// Use the memory as an agent does: over MCP, with the official client. Needs a running service: `npm start`.
import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { findService } from "../service.ts";

const { baseUrl, apiKey } = await findService();

// "auto" selects the newest protocol version that both sides support.
const client = new Client(
  { name: "engram-example", version: "0.1.0" },
  { versionNegotiation: { mode: "auto" } },
);
await client.connect(
  new StreamableHTTPClientTransport(new URL("/mcp", baseUrl), {
    requestInit: { headers: { authorization: `Bearer ${apiKey}` } },
  }),
);

const { tools } = await client.listTools();
console.log(`Tools: ${tools.map(({ name }) => name).join(", ")}`);
assert.ok(tools.some(({ name }) => name === "append_messages"));

const { id } = await call<{ id: string }>("create_conversation", { title: "Order 1029", user_id: "maria" });
const appended = await call<{ last_sequence: number }>("append_messages", {
  conversation_id: id,
  messages: [
    { role: "user", name: "Maria", content: "The kettle leaks. I sent it back, when do I get my money?" },
    { role: "assistant", content: "Your refund left us on Tuesday. The bank takes three days." },
  ],
});
assert.equal(appended.last_sequence, 2);

// Each message is a line, such as `[2] 2026-11-24 09:30 assistant: Your refund left us on Tuesday.`
type Found = { results: { messages: string[] }[] };
const found = await call<Found>("search", {
  query: "When does the refund come?",
  conversation_id: id,
});
const answer = found.results[0]?.messages.at(-1) ?? "nothing found";
console.log(`Found: ${answer}`);
assert.match(answer, /refund left us on Tuesday/);

// Errors are returned as results, so that the model can read what to do next.
const failed = await client.callTool({
  name: "get_conversation",
  arguments: { conversation_id: "conv_none" },
});
assert.equal(failed.isError, true);
await client.close();

/** Call a tool. The client validates the result against the tool's output schema. */
async function call<Body>(name: string, args: Record<string, unknown>): Promise<Body> {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: args });
  if (isError) throw new Error(content.map((block) => (block.type === "text" ? block.text : "")).join("\n"));
  return structuredContent as Body;
}
