import { useState } from "preact/hooks";
import { MESSAGES } from "../messages.ts";
import { Badge, Copy, Screen as Frame } from "../parts/basics.tsx";
import { Text } from "../parts/text.tsx";
import { authorization } from "../session.ts";

const texts = MESSAGES.connect;
const SHOWN_KEY = "Bearer YOUR_KEY";

/** The lines of each client. `bearer` is the value of the header with the key. */
const CLIENTS: readonly { name: string; text: string; lines(bearer: string): string }[] = [
  {
    name: "Claude Code",
    text: texts.inTerminal,
    lines: (bearer) =>
      `claude mcp add --scope user --transport http engram ${location.origin}/mcp --header "Authorization: ${bearer}"`,
  },
  {
    name: texts.otherClients,
    text: texts.inSettings,
    lines: (bearer) =>
      JSON.stringify(
        {
          mcpServers: {
            engram: { type: "http", url: `${location.origin}/mcp`, headers: { Authorization: bearer } },
          },
        },
        null,
        2,
      ),
  },
  {
    name: "TypeScript",
    text: "npm install @engram/sdk",
    lines: (bearer) =>
      [
        'import { Engram } from "@engram/sdk";',
        "",
        `const engram = new Engram({ apiKey: "${bearer.replace("Bearer ", "")}", baseUrl: "${location.origin}" });`,
        'const { results } = await engram.search({ query: "refund" });',
      ].join("\n"),
  },
  {
    name: "curl",
    text: texts.inTerminal,
    lines: (bearer) =>
      `curl -s ${location.origin}/v1/search -H "authorization: ${bearer}" -H "content-type: application/json" -d '{"query":"refund"}'`,
  },
];

export function Screen() {
  return (
    <Frame title={texts.title} note={texts.note} actions={<Test />}>
      {CLIENTS.map(({ name, text, lines }) => (
        <section key={name} class="card">
          <header class="card-head">
            <h2>{name}</h2>
            <Copy text={lines(authorization.value ?? SHOWN_KEY)} label={texts.copyWithKey} />
          </header>
          <p class="note">{text}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content */}
          <pre class="json" tabIndex={0}>
            {lines(SHOWN_KEY)}
          </pre>
        </section>
      ))}
    </Frame>
  );
}

/** Calls the endpoint as an MCP client does first. */
function Test() {
  const [result, setResult] = useState<{ ok: boolean; text: string }>();
  const test = async () => {
    setResult(undefined);
    try {
      setResult(await initialize());
    } catch {
      setResult({ ok: false, text: MESSAGES.noAnswer });
    }
  };
  return (
    <>
      <span aria-live="polite">
        {result !== undefined && (
          <Badge tone={result.ok ? "good" : "bad"}>
            <Text of={result.text} />
          </Badge>
        )}
      </span>
      <button type="button" onClick={test}>
        {texts.test}
      </button>
    </>
  );
}

async function initialize(): Promise<{ ok: boolean; text: string }> {
  const begunAt = performance.now();
  const response = await fetch("/mcp", {
    method: "POST",
    headers: {
      ...{ authorization: authorization.value ?? "", "content-type": "application/json" },
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({
      ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
      params: {
        ...{ protocolVersion: "2025-06-18", capabilities: {} },
        clientInfo: { name: "engram-console", version: "1" },
      },
    }),
  });
  await response.text();
  const elapsedMs = Math.round(performance.now() - begunAt);
  return { ok: response.ok, text: response.ok ? texts.works(elapsedMs) : texts.fails(response.status) };
}
