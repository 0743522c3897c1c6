import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import packageJson from "../package.json" with { type: "json" };

/** What JSON-RPC leaves to servers to say that something is wrong with them. */
const SERVER_ERROR = -32_000;

/** The sets of tools that the service has; it alone knows what is in them. */
export const TOOL_SETS = ["conversations", "memories", "thoughts"];

/**
 * Pass messages between a client on standard input and output and the service's `/mcp`, until the client goes.
 *
 * Both ends are the protocol's own transports, so that every revision that they speak goes through. What the
 * service does not answer is answered here, so that no client waits in vain.
 *
 * @param tools The sets of tools that the client gets; undefined leaves them to the service.
 */
export async function bridge(url: string, apiKey: string, tools?: string[]): Promise<void> {
  // Here, since no other command should wait for them to load.
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const { StdioServerTransport } = await import("@modelcontextprotocol/server/stdio");
  const client = new StdioServerTransport();
  const endpoint = new URL("/mcp", url);
  if (tools !== undefined) endpoint.searchParams.set("tools", tools.join(","));
  const service = new StreamableHTTPClientTransport(endpoint, {
    requestInit: {
      headers: { authorization: `Bearer ${apiKey}`, "user-agent": `engram-cli/${packageJson.version}` },
    },
  });
  const gone = new Promise<void>((done) => {
    client.onclose = done;
  });
  // A client that has gone wants no answer.
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

/** The revision that an answer to `initialize` settles on; every later request names it. */
function negotiatedVersion(message: JSONRPCMessage): string | undefined {
  const result = "result" in message ? (message.result as { protocolVersion?: unknown }) : {};
  return typeof result.protocolVersion === "string" ? result.protocolVersion : undefined;
}

/** What a client is told of a request that the service did not take. */
function refusal(id: string | number, error: unknown): JSONRPCMessage {
  const reason = error instanceof Error ? error.message : String(error);
  const message = `Engram did not take the request: ${reason}. \`engram doctor\` tells more.`;
  return { jsonrpc: "2.0", id, error: { code: SERVER_ERROR, message } };
}
