import type { ApiKeyWithSecret, Scope } from "@engram/sdk";
import { useState } from "preact/hooks";
import { LATER } from "../later-messages.ts";
import { useLoaded } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { ActionDialog } from "../parts/action-dialog.tsx";
import { Badge, Copy, Screen as Frame } from "../parts/basics.tsx";
import { KeyFields, keyBody } from "../parts/key-fields.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { Text } from "../parts/text.tsx";
import { authorization, engram } from "../session.ts";
import { SERVICE_URL } from "../session-store.ts";

const texts = MESSAGES.connect;
/** Scopes that the tools of MCP need. */
const SCOPES: readonly Scope[] = ["read", "write", "search", "delete"];
const SHOWN_KEY = "Bearer YOUR_KEY";

interface Client {
  name: string;
  /** Where the lines go. */
  text: string;
  /** The lines with a key. `bearer` is the value of the header. */
  lines(bearer: string): string;
}

/** Clients whose sessions hooks store, by the tag of these. */
const AGENTS = [
  { tag: "claude-code", name: "Claude Code" },
  { tag: "codex", name: "Codex" },
];

const MCP_URL = `${SERVICE_URL}/mcp`;
const keyOf = (bearer: string): string => bearer.replace("Bearer ", "");
const json = (value: unknown): string => JSON.stringify(value, null, 2);

const CLIENTS: readonly Client[] = [
  {
    name: "Claude Code",
    text: texts.inTerminal,
    lines: (bearer) =>
      `claude mcp add --scope user --transport http engram ${MCP_URL} --header "Authorization: ${bearer}"`,
  },
  {
    name: "Claude Desktop",
    text: texts.inDesktop,
    lines: (bearer) =>
      json({
        mcpServers: {
          engram: {
            command: "npx",
            args: [
              ...["-y", "mcp-remote", MCP_URL, ...(MCP_URL.startsWith("https:") ? [] : ["--allow-http"])],
              // biome-ignore lint/suspicious/noTemplateCurlyInString: mcp-remote fills it in
              ...["--transport", "http-only", "--header", "Authorization:${ENGRAM_AUTHORIZATION}"],
            ],
            env: { ENGRAM_AUTHORIZATION: bearer },
          },
        },
      }),
  },
  {
    name: "Cursor",
    text: "~/.cursor/mcp.json",
    lines: (bearer) => json({ mcpServers: { engram: { url: MCP_URL, headers: { Authorization: bearer } } } }),
  },
  {
    name: "VS Code",
    text: ".vscode/mcp.json",
    lines: (bearer) =>
      json({ servers: { engram: { type: "http", url: MCP_URL, headers: { Authorization: bearer } } } }),
  },
  {
    name: "Codex",
    text: texts.inCodex,
    lines: (bearer) =>
      [
        `# export ENGRAM_API_KEY=${keyOf(bearer)}`,
        "[mcp_servers.engram]",
        `url = "${MCP_URL}"`,
        'bearer_token_env_var = "ENGRAM_API_KEY"',
      ].join("\n"),
  },
  {
    name: texts.otherClients,
    text: texts.inSettings,
    lines: (bearer) =>
      json({ mcpServers: { engram: { type: "http", url: MCP_URL, headers: { Authorization: bearer } } } }),
  },
  {
    name: "TypeScript",
    text: texts.inProgram,
    lines: (bearer) =>
      [
        'import { Engram } from "@engram/sdk";',
        "",
        `const engram = new Engram({ apiKey: "${keyOf(bearer)}", baseUrl: "${SERVICE_URL}" });`,
        'const { results } = await engram.search({ query: "refund" });',
      ].join("\n"),
  },
  {
    name: "curl",
    text: texts.inTerminal,
    lines: (bearer) =>
      `curl -s ${SERVICE_URL}/v1/search -H "authorization: ${bearer}" -H "content-type: application/json" -d '{"query":"refund"}'`,
  },
];

export function Screen() {
  const [key, setKey] = useState<ApiKeyWithSecret>();
  const [isCreating, setCreating] = useState(false);
  const bearer = key === undefined ? SHOWN_KEY : `Bearer ${key.secret}`;
  return (
    <Frame
      title={texts.title}
      note={texts.note}
      actions={
        <>
          <Test bearer={key === undefined ? authorization.value : bearer} />
          <button type="button" class="primary" onClick={() => setCreating(true)}>
            {texts.create}
          </button>
        </>
      }
    >
      {key === undefined ? <p class="note key-note">{texts.noKey}</p> : <MadeKey of={key} />}
      <Agents />
      {CLIENTS.map(({ name, text, lines }) => (
        <section key={name} class="card">
          <header class="card-head">
            <h2>{name}</h2>
            <Copy text={lines(bearer)} label={key === undefined ? texts.copyWithoutKey : texts.copyWithKey} />
          </header>
          <p class="note">{text}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content */}
          <pre class="json" tabIndex={0}>
            {lines(SHOWN_KEY)}
          </pre>
        </section>
      ))}
      {isCreating && (
        <ActionDialog
          title={texts.create}
          close={() => setCreating(false)}
          act={async (form) => {
            setKey(await engram().keys.create(keyBody(form)));
            setCreating(false);
          }}
        >
          <KeyFields scopes={SCOPES} name={texts.keyName} />
        </ActionDialog>
      )}
    </Frame>
  );
}

/** When a session of each coding agent was last stored. Nothing if the key may not read. */
function Agents() {
  const { value } = useLoaded(
    (signal) =>
      Promise.all(
        AGENTS.map(async ({ tag, name }) => {
          const newest = engram().conversations.list({ tags_all: [tag], limit: 1 }, { signal });
          return { name, at: (await newest.page()).items[0]?.updated_at };
        }),
      ),
    [],
  );
  if (value === undefined) return null;
  return (
    <section class="card">
      <h2>{LATER.agents.title}</h2>
      <p class="note">{LATER.agents.note}</p>
      <ul>
        {value.map(({ name, at }) => (
          <li key={name}>
            {name}:{" "}
            {at === undefined ? (
              LATER.agents.nothing
            ) : (
              <>
                {LATER.agents.stored} <RelativeTime at={at} />
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The key of the client, which is in the memory of this screen alone. */
function MadeKey({ of: { name, scopes, secret } }: { of: ApiKeyWithSecret }) {
  return (
    <section class="card" aria-label={texts.keyTitle}>
      <header class="card-head">
        <h2>
          <Text of={name} />
        </h2>
        <span class="note">{scopes.join(", ")}</span>
      </header>
      <p class="note">{texts.keyText}</p>
      <p class="secret">
        <code>{secret}</code>
        <Copy text={secret} />
      </p>
    </section>
  );
}

/** Calls the endpoint as an MCP client does first. */
function Test({ bearer }: { bearer: string | null }) {
  const [result, setResult] = useState<{ ok: boolean; text: string }>();
  const test = async () => {
    setResult(undefined);
    try {
      setResult(await initialize(bearer ?? ""));
    } catch {
      setResult({ ok: false, text: MESSAGES.noAnswer });
    }
  };
  return (
    <>
      <button type="button" onClick={test}>
        {texts.test}
      </button>
      <span aria-live="polite">
        {result !== undefined && (
          <Badge tone={result.ok ? "good" : "bad"}>
            <Text of={result.text} />
          </Badge>
        )}
      </span>
    </>
  );
}

async function initialize(authorization: string): Promise<{ ok: boolean; text: string }> {
  const begunAt = performance.now();
  const response = await fetch(MCP_URL, {
    method: "POST",
    headers: {
      ...{ authorization, "content-type": "application/json" },
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
