import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { type Embedded, type EmbeddingSource, Outage, RefusedText } from "../source.ts";
import type { ModelSpecification } from "./messages.ts";
import { type LoadedModel, loadModel, ModelEnded, ModelLoadError } from "./model.ts";
import { installPackages } from "./packages.ts";
import { type Output, progressLine } from "./progress.ts";

/** Workers AI calls this model @cf/baai/bge-base-en-v1.5. */
export const BGE_BASE: ModelSpecification = { repository: "Xenova/bge-base-en-v1.5", dimensions: 768 };

export interface BgeOptions {
  specification: ModelSpecification;
  hub: string;
  modelsPath: string;
  output: Output;
  /**
   * Pause after the first failure to load the model. Each further pause is twice as long, up to ten minutes.
   */
  pauseMs?: number;
  stallMs?: number;
}

const PAUSE_MS = 10_000;
const PAUSE_MAX_MS = 600_000;
const STALL_MS = 60_000;

/**
 * The model bge-base, loaded in the background. Until it is loaded, `embed` throws `Outage` at once. If
 * loading fails, it is tried again, and each reason is printed once.
 */
export class BgeSource implements EmbeddingSource {
  // One text at a time: ONNX Runtime uses all cores for one text. If a call had several, they would change
  // each other's vectors in the last digits, because the 8-bit model scales its numbers over all texts of a
  // call.
  readonly textsMax = 1;
  readonly callsMax = 1;
  readonly #options: BgeOptions;
  readonly #stopped = new AbortController();
  #model: LoadedModel | undefined;
  #why = "bge-base is being loaded";
  /** Lines printed since the model was last loaded, so that none is printed twice. */
  readonly #printed = new Set<string>();

  constructor(options: BgeOptions) {
    this.#options = options;
    void this.#keepLoaded();
  }

  async embed(texts: string[]): Promise<Embedded[]> {
    const model = this.#model;
    if (model === undefined) throw new Outage(this.#why);
    return await Promise.all(texts.map((text) => this.#embedText(model, text)));
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #embedText(model: LoadedModel, text: string): Promise<Embedded> {
    try {
      return await model.embed(text);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (error instanceof ModelEnded) throw new Outage(reason);
      return new RefusedText(reason);
    }
  }

  async #keepLoaded(): Promise<void> {
    const { pauseMs = PAUSE_MS } = this.#options;
    const { signal } = this.#stopped;
    await nextTurn();
    for (let waitMs = pauseMs; !signal.aborted; waitMs = Math.min(2 * waitMs, PAUSE_MAX_MS)) {
      const reason = await this.#load().then(
        async (model) => {
          this.#model = model;
          waitMs = pauseMs;
          this.#printed.clear();
          this.#say("bge-base is loaded: messages are now found by meaning, too.");
          return await model.ended;
        },
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      this.#model = undefined;
      if (signal.aborted) return;
      this.#complain(reason);
      await sleep(waitMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async #load(): Promise<LoadedModel> {
    const { specification, hub, modelsPath, output, stallMs = STALL_MS } = this.#options;
    const { signal } = this.#stopped;
    const packagesPath = await installPackages((line) => this.#say(line), signal);
    const files = join(modelsPath, specification.repository);
    removeDrafts(files);
    const progress = progressLine(`Fetching bge-base into ${modelsPath}, once`, output);
    try {
      const options = { specification, hub, packagesPath, modelsPath };
      return await loadModel(options, { onProgress: progress.show, stallMs, signal });
    } catch (error) {
      // Damaged files must be downloaded again.
      if (error instanceof ModelLoadError && error.fetched) rmSync(files, { recursive: true, force: true });
      throw error;
    } finally {
      progress.end();
    }
  }

  #complain(reason: string): void {
    this.#why = `bge-base cannot be loaded: ${reason}`;
    this.#say(
      `${this.#why}\n` +
        "Until it is, messages are found by their words only; loading is tried again now and then. It needs " +
        `the network once: the npm registry and ${this.#options.hub} (another hub: HF_ENDPOINT). For the ` +
        "built-in embedder, unset ENGRAM_EMBEDDINGS.",
    );
  }

  #say(line: string): void {
    if (!this.#printed.has(line)) this.#options.output.write(`${line}\n`);
    this.#printed.add(line);
  }
}

/** Removes incomplete downloads of a process that was killed. */
function removeDrafts(folder: string): void {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && entry.name.includes(".tmp.")) rmSync(join(entry.parentPath, entry.name));
  }
}
