import { defineConfig } from "vitepress";
import llmstxt from "vitepress-plugin-llms";
import { apiTags } from "../scripts/api-reference.ts";
import { sdkAdapters, sdkResources } from "../scripts/sdk-reference.ts";

const description =
  "The memory service for AI agents: it keeps whole conversations exactly as they were said, and the notes that an agent decides to remember, and finds the right place in them by meaning and by words.";
const details =
  "Every page is there as Markdown, under its own address with `.md`. Each service answers its contract at `/openapi.json`.";
/** Path under which the site is served, with a slash at either end. */
const base = process.env.SITE_BASE ?? "/";
const repository = process.env.SITE_REPOSITORY;

/** Pages whose tables hold figures, which a phone scrolls. Elsewhere a row becomes a block there. */
const FIGURES = /^(generated\/)?(benchmarks\/|trials|simulator)/;

export default defineConfig({
  lang: "en",
  title: "Engram",
  description,
  base,
  srcDir: "pages",
  outDir: "dist",
  cleanUrls: true,
  rewrites: (page) => page.replace(/^generated\//, ""),
  head: [["link", { rel: "icon", type: "image/svg+xml", href: `${base}logo.svg` }]],
  transformPageData({ relativePath, frontmatter }) {
    if (!FIGURES.test(relativePath)) frontmatter.pageClass = "text-tables";
  },
  markdown: { theme: { light: "github-light-high-contrast", dark: "github-dark" } },
  vite: {
    // @ts-expect-error Its types are those of a newer Vite than VitePress brings.
    plugins: [llmstxt({ description, details, excludeIndexPage: false })],
    // Vite's esbuild is older than the target in tsconfig.base.json, which it would complain of.
    esbuild: { tsconfigRaw: "{}" },
  },
  themeConfig: {
    logo: "/logo.svg",
    search: {
      provider: "local",
      // A heading says what a section is about. Without this, the longest page has the most words of a question.
      options: { miniSearch: { searchOptions: { boost: { title: 8, titles: 2, text: 1 } } } },
    },
    outline: { level: [2, 4] },
    socialLinks: repository === undefined ? undefined : [{ icon: "github", link: repository }],
    nav: [
      { text: "Start", link: "/start" },
      { text: "Recipes", link: "/recipes" },
      { text: "API", link: "/api/", activeMatch: "^/(api|problems)/" },
      { text: "SDK", link: "/sdk/", activeMatch: "^/sdk/" },
      { text: "CLI", link: "/cli/", activeMatch: "^/cli/" },
      { text: "Guarantees", link: "/guarantees" },
    ],
    sidebar: [
      {
        text: "Use",
        items: [
          { text: "Ten minutes", link: "/start" },
          { text: "Concepts", link: "/concepts" },
          { text: "How search ranks", link: "/ranking" },
          {
            text: "Guides",
            items: [
              { text: "Memories", link: "/memories" },
              { text: "Provenance", link: "/provenance" },
              { text: "Receipts", link: "/receipts" },
              { text: "Context", link: "/context" },
              { text: "Entities", link: "/entities" },
              { text: "Summaries", link: "/summaries" },
              { text: "Live updates", link: "/live" },
              { text: "WebSockets", link: "/sockets" },
              { text: "Webhooks", link: "/webhooks" },
              { text: "Recipes", link: "/recipes" },
              { text: "Moving to Engram", link: "/moving" },
              { text: "Coming from mem0, Zep, Supermemory, Letta", link: "/coming-from" },
            ],
          },
          {
            text: "Connect",
            items: [
              { text: "Coding agents", link: "/coding-agents" },
              { text: "MCP clients", link: "/mcp" },
              { text: "claude.ai and ChatGPT", link: "/connect" },
              { text: "OpenAI's client", link: "/openai" },
              { text: "People and roles", link: "/people" },
              {
                text: "Command line",
                link: "/cli/",
                collapsed: true,
                items: [{ text: "Commands", link: "/cli/commands" }],
              },
              {
                text: "TypeScript SDK",
                link: "/sdk/",
                collapsed: true,
                items: [
                  { text: "Engram", link: "/sdk/reference/" },
                  ...sdkResources().map((name) => ({ text: name, link: `/sdk/reference/resources/${name}` })),
                  ...sdkAdapters().map((name) => ({
                    text: `@engram/sdk/${name}`,
                    link: `/sdk/reference/adapters/${name}`,
                  })),
                ],
              },
              { text: "Python", link: "/python" },
              {
                text: "API",
                link: "/api/",
                collapsed: true,
                items: [
                  ...apiTags(),
                  { text: "Types", link: "/api/types" },
                  { text: "Problems", link: "/problems/" },
                ],
              },
            ],
          },
          {
            text: "Run",
            items: [
              { text: "Configuration", link: "/configuration" },
              { text: "Run it yourself", link: "/running" },
              { text: "Deploy on Cloudflare", link: "/deploy" },
              { text: "Where data lives", link: "/places" },
              { text: "Archives and backup", link: "/archives" },
            ],
          },
          {
            text: "Rely on",
            items: [
              { text: "Guarantees", link: "/guarantees" },
              { text: "Limits and fairness", link: "/limits" },
              { text: "Security", link: "/security" },
              { text: "Data protection", link: "/data-protection" },
              { text: "Retention and legal hold", link: "/retention-and-legal-hold" },
            ],
          },
        ],
      },
      {
        text: "Inside",
        items: [
          {
            text: "Architecture",
            link: "/architecture/",
            items: [
              { text: "Requests", link: "/architecture/requests" },
              { text: "Append", link: "/architecture/append" },
              { text: "Search", link: "/architecture/search" },
              { text: "Indexing", link: "/architecture/indexing" },
              { text: "Summaries", link: "/architecture/summaries" },
              { text: "Deletion", link: "/architecture/deletion" },
              { text: "Operations", link: "/architecture/operations" },
            ],
          },
          {
            text: "Evidence",
            items: [
              { text: "Benchmarks", link: "/benchmarks/" },
              { text: "Speed comparison", link: "/benchmarks/speed" },
              { text: "Simulator", link: "/simulator" },
              { text: "Trials", link: "/trials" },
            ],
          },
          { text: "Contributing", link: "/contributing" },
          { text: "Glossary", link: "/glossary" },
        ],
      },
    ],
  },
});
