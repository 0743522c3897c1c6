import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import packageJson from "../package.json" with { type: "json" };

/** In the range that JSON-RPC reserves for server errors. */
const SERVER_ERROR = -32_000;

/** Must be those of `TOOL_SETS` in spec/src/common.ts. */
export const TOOL_SETS = ["conversations", "memories", "context", "thoughts", "live"];

/**
 * Passes messages between an MCP client, on standard input and output, and the service, until the client
 * disconnects. The transports of the official MCP library support every protocol revision that the library
 * knows. If the service does not respond, the bridge returns an error, so that the client does not wait
 * forever.
 */
export async function bridge(url: string, apiKey: string, tools?: string[]): Promise<void> {
  // Loaded only by this command, because it takes time.
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const { StdioServerTransport } = await import("@modelcontextprotocol/server/stdio");
  const client = new StdioServerTransport();
  const endpoint = new URL(`${url}/mcp`);
  if (tools !== undefined) endpoint.searchParams.set("tools", tools.join(","));
  const service = new StreamableHTTPClientTransport(endpoint, {
    requestInit: {
      headers: { authorization: `Bearer ${apiKey}`, "user-agent": `engram-cli/${packageJson.version}` },
    },
  });
  const gone = new Promise<void>((done) => {
    client.onclose = done;
  });
  // The client may have disconnected already.
  const answer = (message: JSONRPCMessage) => client.send(message).catch(() => {});
  service.onmessage = (message) => {
    const version = negotiatedVersion(message);
    if (version !== undefined) service.setProtocolVersion(version);
    void answer(message);
  };
  client.onmessage = (message) => {
    service.send(message).catch((error: unknown) => {
      if ("method" in message && "id" in message) void answer(refusal(message.id, error));
    });
  };
  await service.start();
  await client.start();
  await gone;
  await service.close();
}

/** The protocol version, if the message is the response to `initialize`. Every later request must name it. */
function negotiatedVersion(message: JSONRPCMessage): string | undefined {
  const result = "result" in message ? (message.result as { protocolVersion?: unknown }) : {};
  return typeof result.protocolVersion === "string" ? result.protocolVersion : undefined;
}

function refusal(id: string | number, error: unknown): JSONRPCMessage {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `The request to Engram failed: ${reason}. Run \`engram doctor\` to find out why.`;
  return { jsonrpc: "2.0", id, error: { code: SERVER_ERROR, message } };
}
