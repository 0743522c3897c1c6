// The manifests of the plugin for coding agents, which have much in common, and the catalogs from which the clients
// install it. `plugin/README.md` says which client reads which file.
import { hookArguments, hookClients, withHooks } from "./src/hook-clients.ts";

/** What the manifests say of the package. */
export interface About {
  version: string;
  license: string;
  homepage: string;
}

const NAME = "engram";
const TITLE = "Engram";
const DESCRIPTION =
  "Long-term memory: finds what was said in earlier sessions, stores whole conversations, and keeps notes.";
const CATEGORY = "Productivity";
const KEYWORDS = ["memory", "conversations", "search", "mcp"];
const AUTHOR = { name: TITLE };
const SKILLS = "./skills/";
/** The program is found on the PATH: npx would take longer to start than a hook may take. */
const PROGRAM = "engram";
const SERVER = { command: PROGRAM, args: ["mcp", "--tools", "conversations,memories"] };

/** The texts of the files, by their paths in the repository. */
export function pluginFiles({ version, license, homepage }: About): Map<string, string> {
  const about = { name: NAME, version, description: DESCRIPTION };
  const more = { author: AUTHOR, homepage, license, keywords: KEYWORDS };
  const ofAgentPlugins = (name: string) => ({
    $schema: `https://agent-plugins.org/schemas/1.0.0/${name}.schema.json`,
  });
  const entry = { name: NAME, source: "./plugin", description: DESCRIPTION };
  const files: [string, unknown][] = [
    ["plugin/plugin.json", { ...ofAgentPlugins("plugin"), ...about, ...more }],
    ["plugin/mcp.json", { ...ofAgentPlugins("mcp"), mcpServers: { [NAME]: { type: "stdio", ...SERVER } } }],
    [
      "plugin/.claude-plugin/plugin.json",
      {
        ...about,
        ...more,
        hooks: "./hooks/claude-code.json",
        mcpServers: { [NAME]: { ...SERVER, env: CLAUDE_ENVIRONMENT } },
        userConfig: CLAUDE_CONFIG,
      },
    ],
    [
      "plugin/.codex-plugin/plugin.json",
      {
        ...about,
        ...more,
        skills: SKILLS,
        // Codex reads no hooks of a plugin that has a manifest of Agent Plugins, too: openai/codex#39895.
        mcpServers: { [NAME]: SERVER },
        interface: {
          displayName: TITLE,
          shortDescription: "Long-term memory for coding agents.",
          longDescription: DESCRIPTION,
          developerName: TITLE,
          category: CATEGORY,
          capabilities: ["Read", "Write"],
          websiteURL: homepage,
          defaultPrompt: ["What did we decide about this in earlier sessions?"],
        },
      },
    ],
    [
      "plugin/.cursor-plugin/plugin.json",
      { ...about, displayName: TITLE, ...more, skills: SKILLS, mcpServers: "./mcp.json" },
    ],
    ["plugin/hooks/claude-code.json", hooksOf("claude-code")],
    [
      ".claude-plugin/marketplace.json",
      { name: NAME, owner: AUTHOR, metadata: { description: DESCRIPTION }, plugins: [entry] },
    ],
    [
      ".agents/plugins/marketplace.json",
      {
        name: NAME,
        interface: { displayName: TITLE },
        plugins: [
          {
            name: NAME,
            source: { source: "local", path: "./plugin" },
            policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" },
            category: CATEGORY,
          },
        ],
      },
    ],
    [".cursor-plugin/marketplace.json", { name: NAME, owner: AUTHOR, plugins: [entry] }],
  ];
  return new Map(files.map(([path, value]) => [path, `${JSON.stringify(value, null, 2)}\n`]));
}

/** What Claude Code asks for when the plugin is enabled. Hooks get it as CLAUDE_PLUGIN_OPTION_URL and _API_KEY. */
const CLAUDE_CONFIG = {
  url: {
    type: "string",
    title: "URL of the service",
    description: "Empty: that of the profile of `engram login`.",
    default: "",
  },
  api_key: {
    type: "string",
    title: "Key",
    description: "Starts with engram_sk_. Empty: that of the profile of `engram login`.",
    sensitive: true,
    default: "",
  },
};
/** An empty variable counts as none. */
const CLAUDE_ENVIRONMENT = {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: Claude Code fills it in
  ENGRAM_URL: "${user_config.url}",
  ENGRAM_API_KEY: "${user_config.api_key}",
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: Claude Code fills it in
};

/** The same hooks as `engram hooks install` adds, with the options that are the default. */
function hooksOf(name: string): unknown {
  const client = hookClients({}).get(name);
  if (client === undefined) throw new Error(`No hooks for ${name}`);
  return JSON.parse(withHooks("", client, [PROGRAM, ...hookArguments(name)].join(" ")));
}
