import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { type Embedded, type EmbeddingSource, Outage, RefusedText } from "./source.ts";

/** The program of the thread. For each message, a text, it posts the vector, or a string why it has none. */
const PROGRAM = createRequire(import.meta.url).resolve("@engram/sentences/worker");

/**
 * Embeds texts in a thread of its own, because a text takes some 25 ms of processor time. One text at a time, so that a
 * search waits for one at most. The first text starts the thread, and waits while the model is loaded. If the thread
 * ends, the next text starts another.
 */
export class SentenceSource implements EmbeddingSource {
  readonly textsMax = 1;
  readonly callsMax = 1;
  readonly #say: (line: string) => void;
  readonly #program: string;
  #thread: Worker | undefined;
  /** Of the texts that the thread has, in its order. */
  #calls: PromiseWithResolvers<Embedded>[] = [];
  #isStopped = false;

  constructor(say: (line: string) => void, program = PROGRAM) {
    this.#say = say;
    this.#program = program;
  }

  embed(texts: string[]): Promise<Embedded[]> {
    return Promise.all(texts.map((text) => this.#embed(text)));
  }

  stop(): void {
    this.#isStopped = true;
    void this.#thread?.terminate();
  }

  async #embed(text: string): Promise<Embedded> {
    if (this.#isStopped) throw new Outage("Engram is stopping");
    const call = Promise.withResolvers<Embedded>();
    this.#calls.push(call);
    this.#thread ??= this.#start();
    this.#thread.postMessage(text);
    return call.promise;
  }

  #start(): Worker {
    // Without this process's variables and options, neither of which concerns it.
    const thread = new Worker(this.#program, { env: {}, execArgv: [], name: "sentences" });
    let reason = "it ended";
    thread.on("message", (answer: Float32Array | string) => {
      this.#calls.shift()?.resolve(typeof answer === "string" ? new RefusedText(answer) : answer);
    });
    thread.on("error", (error) => {
      reason = error instanceof Error ? error.message : String(error);
    });
    thread.on("exit", () => {
      this.#thread = undefined;
      if (!this.#isStopped) {
        this.#say(`The sentence model failed: ${reason}. It is started again with the next text.`);
      }
      const calls = this.#calls;
      this.#calls = [];
      for (const call of calls) call.reject(new Outage(`the sentence model failed: ${reason}`));
    });
    return thread;
  }
}
