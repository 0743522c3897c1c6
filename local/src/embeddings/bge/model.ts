import { type ChildProcess, fork } from "node:child_process";
import { extname, join } from "node:path";
import type { EmbedMessage, ModelMessage, ModelProcessOptions } from "./messages.ts";

const OUTPUT_LENGTH_MAX = 1_000;

export class ModelLoadError extends Error {
  readonly fetched: boolean;

  constructor(reason: string, fetched: boolean) {
    super(reason);
    this.fetched = fetched;
  }
}

export class ModelEnded extends Error {}

export interface LoadedModel {
  /** @throws {Error} If the model rejects the text. @throws {ModelEnded} If the model's process ends. */
  embed(text: string): Promise<Float32Array>;
  /** Resolves with the reason when the model's process has ended. */
  ended: Promise<string>;
}

/**
 * Starts a process that runs the model, and resolves when the model is loaded. Missing files are downloaded.
 *
 * @param control.stallMs How long the process may send no message before it is ready. It sends messages while
 * it downloads.
 * @throws {ModelLoadError} If the model cannot be loaded, or the process sends no message for `stallMs`.
 */
export async function loadModel(
  options: ModelProcessOptions,
  control: {
    onProgress: (loadedBytes: number, totalBytes: number) => void;
    stallMs: number;
    signal: AbortSignal;
  },
): Promise<LoadedModel> {
  const { onProgress, stallMs, signal } = control;
  // The file ends in `.ts` in the repository, and in `.js` in the published package.
  const program = join(import.meta.dirname, `model-process${extname(import.meta.filename)}`);
  const child = fork(program, [JSON.stringify(options)], {
    execArgv: [],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    signal,
    killSignal: "SIGKILL",
  });
  const asked = new Map<number, PromiseWithResolvers<Float32Array>>();
  const ready = Promise.withResolvers<void>();
  const ended = whenEnded(child).then((reason) => {
    for (const { reject } of asked.values()) reject(new ModelEnded(reason));
    asked.clear();
    ready.reject(new ModelLoadError(reason, false));
    return reason;
  });
  const stall = setTimeout(() => {
    ready.reject(new ModelLoadError(`nothing has arrived for ${stallMs / 1_000} s`, false));
  }, stallMs);
  child.on("message", (message: ModelMessage) => {
    stall.refresh();
    if (message.type === "progress") onProgress(message.loadedBytes, message.totalBytes);
    else if (message.type === "ready") ready.resolve();
    else if (message.type === "failed") ready.reject(new ModelLoadError(message.reason, message.fetched));
    else settle(asked, message);
  });
  try {
    await ready.promise;
  } catch (error) {
    child.kill("SIGKILL");
    await ended;
    throw error;
  } finally {
    clearTimeout(stall);
  }
  let lastId = 0;
  return {
    ended,
    async embed(text) {
      const id = ++lastId;
      const result = Promise.withResolvers<Float32Array>();
      asked.set(id, result);
      const message: EmbedMessage = { id, text };
      child.send(message, (error) => {
        if (error !== null) result.reject(new ModelEnded(error.message));
      });
      return await result.promise;
    },
  };
}

function settle(
  asked: Map<number, PromiseWithResolvers<Float32Array>>,
  message: Extract<ModelMessage, { id: number }>,
): void {
  const result = asked.get(message.id);
  asked.delete(message.id);
  if (message.type === "embedded") result?.resolve(message.vector);
  else result?.reject(new Error(message.reason));
}

async function whenEnded(child: ChildProcess): Promise<string> {
  let output = "";
  child.stderr?.on("data", (chunk) => {
    output = (output + chunk).slice(-OUTPUT_LENGTH_MAX);
  });
  return await new Promise((resolve) => {
    // The error may be the AbortError of the signal. "close" follows, unless the process could not be
    // started.
    child.on("error", (error) => {
      if (child.pid === undefined) resolve(error.message);
    });
    child.once("close", (code, signal) =>
      resolve(`its process ended (${signal ?? code}) ${output.trim()}`.trim()),
    );
  });
}
