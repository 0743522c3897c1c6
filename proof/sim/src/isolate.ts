import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { compileFunction } from "node:vm";
import { gunzipSync, gzipSync } from "node:zlib";
import { build, type Plugin } from "esbuild";
import type { background, createApp } from "../../../service/src/app.ts";
import type { OrganizationCell } from "../../../service/src/cell.ts";
import type { enrichDue } from "../../../service/src/enrichment/service.ts";
import type { indexShare } from "../../../service/src/indexing/sweep.ts";
import type { openIsolate, runLogged } from "../../../service/src/isolate.ts";
import type { ServiceLimits } from "../../../service/src/limits.ts";
import type { summarizeDue } from "../../../service/src/summaries/run.ts";
import type { deleteApart, sweep } from "../../../service/src/sweep.ts";
import type { archiveApart } from "../../../service/src/transfer/archives.ts";
import type { Clock, Event } from "./clock.ts";
import { cryptoOf } from "./crypto.ts";
import type { Random } from "./random.ts";

const SERVICE = join(import.meta.dirname, "../../../service/src");
const ENTRY = `export { background, createApp } from "./app.ts";
  export { OrganizationCell } from "./cell.ts";
  export { SERVICE_LIMITS } from "./limits.ts";
  export { enrichDue } from "./enrichment/service.ts";
  export { indexShare } from "./indexing/sweep.ts";
  export { summarizeDue } from "./summaries/run.ts";
  export { deleteApart, sweep } from "./sweep.ts";
  export { archiveApart } from "./transfer/archives.ts";
  export { openIsolate, runLogged } from "./isolate.ts";`;

/** The exports of the service that the simulator calls. */
export interface Service {
  createApp: typeof createApp;
  background: typeof background;
  OrganizationCell: typeof OrganizationCell;
  runLogged: typeof runLogged;
  SERVICE_LIMITS: ServiceLimits;
  enrichDue: typeof enrichDue;
  indexShare: typeof indexShare;
  summarizeDue: typeof summarizeDue;
  sweep: typeof sweep;
  archiveApart: typeof archiveApart;
  deleteApart: typeof deleteApart;
  openIsolate: typeof openIsolate;
}

/** Globals that the simulator provides to the service instead of Node's. */
type World = ReturnType<typeof worldOf>;
const WORLD_NAMES = [
  "setTimeout",
  "clearTimeout",
  "crypto",
  "console",
  "Date",
  "performance",
  "Blob",
  "CompressionStream",
  "DecompressionStream",
] as const satisfies (keyof World)[];

/** Creates isolates: the service's code with separate module state, as in each Worker. */
export type IsolateFactory = (clock: Clock, random: Random, log: (line: string) => void) => Service;

/** Changes the service's code. Tests use it to apply mutations. */
export type RewriteCode = (code: string) => string;

/** The code of the service, and the packages that it requires, by URL. */
interface Bundle {
  code: string;
  packages: Map<string, unknown>;
}

let bundle: Promise<Bundle> | undefined;
let factory: Promise<IsolateFactory> | undefined;

/** Compile the service once, and again for each mutation. Evaluating it again is cheap. */
export async function loadService(rewrite?: RewriteCode): Promise<IsolateFactory> {
  bundle ??= bundleService();
  if (rewrite !== undefined) {
    const { code, packages } = await bundle;
    return compile({ code: rewrite(code), packages });
  }
  factory ??= bundle.then(compile);
  return factory;
}

async function bundleService(): Promise<Bundle> {
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: SERVICE, loader: "ts" },
    bundle: true,
    write: false,
    format: "cjs",
    platform: "node",
    // Without esbuild's `module` condition, as Node resolves.
    conditions: [],
    target: "esnext",
    plugins: [keepPackagesOut],
  });
  // esbuild treats every required module as CommonJS. These are namespaces from `import`, with their default
  // exports.
  const code = (outputFiles[0]?.text ?? "").replace(
    /__toESM\((require\("(?:file|node):[^"]+"\)), 1\)/g,
    "$1",
  );
  const packages = new Map<string, unknown>();
  for (const [, url = ""] of code.matchAll(/require\("((?:file|node):[^"]+)"\)/g)) {
    packages.set(url, await import(/* @vite-ignore */ url));
  }
  return { code, packages };
}

function compile({ code, packages }: Bundle): IsolateFactory {
  const evaluate = compileFunction(code, ["module", "exports", "require", ...WORLD_NAMES], {
    filename: "service.js",
  });
  return (clock, random, log) => {
    const module: { exports: unknown } = { exports: {} };
    const world = worldOf(clock, random, log);
    const globals = WORLD_NAMES.map((name) => world[name]);
    evaluate(module, module.exports, (url: string) => packages.get(url), ...globals);
    return module.exports as Service;
  };
}

const OAUTH_LIBRARY = "@cloudflare/workers-oauth-provider";

/**
 * All isolates share packages, which keep no state of a request and take long to evaluate. The OAuth library is in each,
 * because it reads the time and encrypts.
 */
const keepPackagesOut: Plugin = {
  name: "keep-packages-out",
  setup({ onResolve, onLoad, resolve }) {
    // It needs the module of the Workers' runtime, for a class that it only compares with.
    onResolve({ filter: /^cloudflare:workers$/ }, ({ path }) => ({ path, namespace: "runtime" }));
    onLoad({ filter: /./, namespace: "runtime" }, () => ({ contents: "export class WorkerEntrypoint {}" }));
    onResolve({ filter: /^[^./]/ }, async ({ path, resolveDir, kind, pluginData }) => {
      if (pluginData === keepPackagesOut || path === OAUTH_LIBRARY) return undefined;
      if (path.startsWith("node:")) return { path, external: true };
      const found = await resolve(path, { resolveDir, kind, pluginData: keepPackagesOut });
      return { path: pathToFileURL(found.path).href, external: true };
    });
  },
};

/**
 * The runtime APIs that the service uses in addition to its bindings. They use no threads and no real clock,
 * which would complete in a different order each time.
 */
function worldOf(clock: Clock, random: Random, log: (line: string) => void) {
  return {
    setTimeout: (run: () => void, delayMs: number): Event => clock.schedule(delayMs, run),
    clearTimeout: (event: Event) => {
      event.isOff = true;
    },
    crypto: cryptoOf(random),
    console: { log: () => {}, warn: () => {}, error: log },
    Date: class extends Date {
      constructor(at: number | string = clock.nowMs()) {
        super(at);
      }
      static override now = () => clock.nowMs();
    },
    performance: { now: () => clock.nowMs() },
    Blob: class {
      readonly #parts: Uint8Array[];
      constructor(parts: Uint8Array[]) {
        this.#parts = parts;
      }
      stream = () =>
        new ReadableStream({
          start: (controller) => {
            for (const part of this.#parts) controller.enqueue(part);
            controller.close();
          },
        });
    },
    CompressionStream: class extends WholeTransform {
      constructor() {
        super(gzipSync);
      }
    },
    DecompressionStream: class extends WholeTransform {
      constructor() {
        super(gunzipSync);
      }
    },
  };
}

/** Transforms the whole input at its end. */
class WholeTransform extends TransformStream<Uint8Array, Uint8Array> {
  constructor(transform: (bytes: Uint8Array) => Uint8Array) {
    const parts: Uint8Array[] = [];
    super({
      transform: (part) => {
        parts.push(part);
      },
      flush: (controller) => controller.enqueue(transform(Buffer.concat(parts))),
    });
  }
}
