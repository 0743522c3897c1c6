import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installPackages } from "../../src/embeddings/bge/packages.ts";
import { type BgeOptions, BgeSource } from "../../src/embeddings/bge/source.ts";
import { type Embedded, Outage, RefusedText } from "../../src/embeddings/source.ts";
import { type HubServer, type Mishap, openHub } from "../support/hub-server.ts";
import { TINY, TINY_TOKENS_MAX, tinyVector } from "../support/tiny-bert.ts";

const MODEL_FILE = "onnx/model_quantized.onnx";
/** Generous, for a machine that has much else to do. */
const TIMEOUT_MS = 60_000;

const trials: Trial[] = [];

// The first run on a machine fetches ONNX Runtime.
beforeAll(async () => {
  await installPackages(() => {}, new AbortController().signal);
}, 300_000);
afterAll(async () => {
  for (const trial of trials) await trial.end();
  await until(() => modelProcesses().length === 0);
});

/** bge-base with a hub and a cache of its own. */
class Trial {
  readonly hub: HubServer;
  readonly modelsPath = mkdtempSync(join(tmpdir(), "engram-models-"));
  output = "";
  source: BgeSource;

  constructor(hub: HubServer, options: TrialOptions) {
    this.hub = hub;
    this.source = this.open(options);
  }

  open({ isTTY = false, ...options }: TrialOptions = {}): BgeSource {
    const write = (text: string) => {
      this.output += text;
    };
    const output = { isTTY, write };
    const { hub, modelsPath } = this;
    this.source = new BgeSource({
      ...{ specification: TINY, hub: hub.url, modelsPath, output, pauseMs: 50 },
      ...options,
    });
    return this.source;
  }

  /** Resolves once it is loaded, or loaded again after `output` was emptied. */
  loaded = () => until(() => this.output.includes("bge-base is loaded"));
  complained = () => until(() => this.complaints().length > 0);
  complaints = () => this.output.split("\n").filter((line) => line.startsWith("bge-base cannot be loaded"));

  async end(): Promise<void> {
    this.source.stop();
    await this.hub.close();
    rmSync(this.modelsPath, { recursive: true, force: true });
  }
}

type TrialOptions = Partial<BgeOptions> & { isTTY?: boolean };

async function begin(options: TrialOptions = {}, mishaps: [string, Mishap][] = []): Promise<Trial> {
  const hub = await openHub();
  for (const [name, mishap] of mishaps) hub.mishaps.set(name, mishap);
  const trial = new Trial(hub, options);
  trials.push(trial);
  return trial;
}

async function until(condition: () => boolean): Promise<void> {
  const deadlineMs = Date.now() + TIMEOUT_MS;
  while (!condition()) {
    if (Date.now() > deadlineMs) throw new Error(`Not so in time: ${condition}`);
    await sleep(10);
  }
}

/** The vector of some words as computed by hand; the model computes in float32. */
const handmade = (words: string[]) => tinyVector(words).map((value) => expect.closeTo(value, 5));
const numbers = (embedded: Embedded | undefined) =>
  embedded instanceof Float32Array ? [...embedded] : embedded;

describe.concurrent("bge-base", { timeout: TIMEOUT_MS }, () => {
  test("fails calls as an outage until it is loaded, then makes the vectors that its model should", async () => {
    const { source, hub, loaded } = await begin();
    await expect(source.embed(["the dog barked"])).rejects.toThrow(Outage);
    await loaded();
    expect(hub.asked).toContain(MODEL_FILE);
    expect(hub.asked).not.toContain("onnx/model.onnx");

    // Pooled by "cls" and of length 1; the same alone and among longer ones.
    const [dog, revenue] = await source.embed(["The dog barked.", "quarterly revenues"]);
    expect(numbers(dog)).toEqual(handmade(["the", "dog", "barked", "."]));
    expect(numbers(revenue)).toEqual(handmade(["quarterly", "revenue", "##s"]));
    expect(await source.embed(["quarterly revenues"])).toEqual([revenue]);

    // A text that is too long is cut, and its closing token stays.
    const words = Array.from({ length: 2 * TINY_TOKENS_MAX }, (_, i) => (i % 2 ? "dog" : "cat"));
    const [long] = await source.embed([words.join(" ")]);
    expect(numbers(long)).toEqual(handmade(words));

    // What its tokenizer cannot read is refused, and nothing else.
    const [refused, taken] = await source.embed([undefined as unknown as string, "The dog barked."]);
    expect(refused).toEqual(expect.any(RefusedText));
    expect(taken).toEqual(dog);
  });

  test("shows on a terminal, in one line, how far the download is", async () => {
    const trial = await begin({ isTTY: true });
    await trial.loaded();
    const shown = trial.output.split("\r\x1b[2K").slice(1);
    expect(shown.length).toBeGreaterThan(1);
    expect(shown[0]).toMatch(/^Fetching bge-base into \S+, once: \d+ % of 0\.0 MB$/);
    expect(shown.at(-1)).toMatch(/: 100 % of 0\.0 MB\nbge-base is loaded/);
  });

  test("shows elsewhere a line a quarter at most, and needs no hub once it has been fetched", async () => {
    const trial = await begin();
    await trial.loaded();
    const lines = trial.output.split("\n").filter((line) => line.startsWith("Fetching"));
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.length).toBeLessThan(6);
    expect(lines.at(-1)).toContain("100 %");
    expect(trial.output).not.toContain("\r");

    trial.source.stop();
    trial.output = "";
    const asked = trial.hub.asked.length;
    trial.open({ hub: "http://127.0.0.1:9" });
    await trial.loaded();
    expect(trial.hub.asked).toHaveLength(asked);
    expect(trial.output).not.toContain("Fetching");
  });
});

describe.concurrent("a load that fails", { timeout: TIMEOUT_MS }, () => {
  const status =
    (code: number): Mishap =>
    (_, response) =>
      void response.writeHead(code).end("no");
  const garbage: Mishap = (_, response) =>
    void response.end("<html>Log in to the network of this hotel</html>");
  const cut: Mishap = (_, response, contents) => {
    response.writeHead(200, { "content-length": contents.length });
    response.write(contents.subarray(0, contents.length / 2));
    setTimeout(() => response.socket?.destroy(), 50);
  };
  /** Half of a file as if it were all of it. */
  const half: Mishap = (_, response, contents) =>
    void response.end(contents.subarray(0, contents.length / 2));

  test.for<[string, string, Mishap, string]>([
    ["by a model that is not there", MODEL_FILE, status(404), "answered 404"],
    ["by a hub that fails for a small file", "tokenizer_config.json", status(500), "answered 500"],
    ["by a cut connection", MODEL_FILE, cut, MODEL_FILE],
    ["by half a model", MODEL_FILE, half, "model_quantized.onnx failed"],
    ["by something else in the place of a small file", "tokenizer.json", garbage, "JSON"],
  ])("%s is reported with its reason, and retried until it succeeds", async ([, name, mishap, reason]) => {
    const trial = await begin({}, [[name, mishap]]);
    await trial.complained();
    expect(trial.complaints()).toEqual([expect.stringContaining(reason)]);
    expect(trial.output).toContain("HF_ENDPOINT");
    trial.hub.mishaps.clear();
    await trial.loaded();
    const [vector] = await trial.source.embed(["the dog"]);
    expect(numbers(vector)).toEqual(handmade(["the", "dog"]));
    const kept = readdirSync(join(trial.modelsPath, TINY.repository, "onnx"));
    expect(kept).toEqual(["model_quantized.onnx"]);
  });

  test("that repeats is reported once, and calls say why", async () => {
    const trial = await begin({}, [["config.json", status(500)]]);
    await until(() => trial.hub.asked.filter((name) => name === "config.json").length > 2);
    expect(trial.complaints()).toHaveLength(1);
    await expect(trial.source.embed(["the dog"])).rejects.toThrow("config.json answered 500");
  });

  test("by a hub that falls silent is given up", async () => {
    const silence: Mishap = (_, response) =>
      void response.writeHead(200, { "content-length": 100 }).write("x");
    const trial = await begin({ stallMs: 3_000 }, [[MODEL_FILE, silence]]);
    await trial.complained();
    expect(trial.complaints()[0]).toContain("nothing has arrived for 3 s");
  });

  test("of a hub that is unreachable is reported with its address", async () => {
    const closed = await openHub();
    await closed.close();
    const trial = await begin({ hub: closed.url });
    await trial.complained();
    expect(trial.complaints()[0]).toMatch(/http:\/\/127\.0\.0\.1:\d+\/\S+: .*ECONNREFUSED/);
  });

  test("by a model of another size than the index is not used", async () => {
    const trial = await begin({ specification: { ...TINY, dimensions: 768 } });
    await trial.complained();
    expect(trial.complaints()[0]).toContain("its vectors have 8 dimensions instead of 768");
  });
});

// After the concurrent ones, so that the only process is that of the test.
describe("the process of the model", { timeout: TIMEOUT_MS }, () => {
  beforeAll(async () => {
    for (const trial of trials.splice(0)) await trial.end();
    await until(() => modelProcesses().length === 0);
  });

  test("is started again when it has died, what was asked of it fails, and it ends when it is stopped", async ({
    skip,
  }) => {
    skip(process.platform !== "linux", "it reads /proc");
    const trial = await begin();
    await trial.loaded();
    trial.output = "";
    const [pid = 0] = modelProcesses();
    process.kill(pid, "SIGSTOP");
    const call = trial.source.embed(["the dog barked"]);
    process.kill(pid, "SIGKILL");
    await expect(call).rejects.toThrow(Outage);
    await trial.loaded();
    expect(await trial.source.embed(["the dog"])).toEqual([expect.any(Float32Array)]);
    expect(trial.complaints()).toEqual([expect.stringContaining("its process ended (SIGKILL)")]);

    expect(modelProcesses()).toHaveLength(1);
    trial.source.stop();
    await until(() => modelProcesses().length === 0);
    expect(trial.complaints()).toHaveLength(1);
  });
});

/** Ids of this process's children that run a model. */
function modelProcesses(): number[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        const command = readFileSync(`/proc/${name}/cmdline`, "utf8");
        return state !== "Z" && Number(parent) === process.pid && command.includes("model-process.ts");
      } catch {
        return false;
      }
    })
    .map(Number);
}
