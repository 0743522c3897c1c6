import { once } from "node:events";
import { Worker } from "node:worker_threads";

export interface AttackerSettings {
  url: string;
  adminToken: string;
  /** How often it goes through all of its requests. */
  rounds: number;
  /** Requests at a time. */
  concurrency: number;
  /** Imports of a hundred conversations with 16 kB of metadata each, beforehand. */
  hoards: number;
  /** Of a body: less than a write takes, since names count too. */
  bytes: number;
}

/** A request of the attacker. */
export interface Attacked {
  name: string;
  /** Milliseconds since the epoch. */
  fromMs: number;
  untilMs: number;
  /** 0 when there was no answer. */
  status: number;
  /** What it was answered when that was not expected. */
  refusal: string | null;
}

/** An attacker that has stored what it needs. */
export interface Attacker {
  /** Different requests that it sends. */
  attacks: number;
  /** Go through all of them; resolves to what each came to. */
  attack(onAttacked: (attacked: Attacked) => void): Promise<Attacked[]>;
  stop(): Promise<void>;
}

/** Start an attacker. @throws {Error} when it cannot make its requests. */
export async function startAttacker(settings: AttackerSettings): Promise<Attacker> {
  const worker = new Worker(new URL("./attacker.ts", import.meta.url), { workerData: settings });
  const [{ attacks }] = (await once(worker, "message")) as [{ attacks: number }];
  return {
    attacks,
    async attack(onAttacked) {
      const { promise, resolve, reject } = Promise.withResolvers<Attacked[]>();
      const all: Attacked[] = [];
      worker.on("error", reject);
      worker.on("message", (message: Attacked | "done") => {
        if (message === "done") return resolve(all);
        all.push(message);
        onAttacked(message);
      });
      worker.postMessage("go");
      return promise;
    },
    async stop() {
      await worker.terminate();
    },
  };
}
