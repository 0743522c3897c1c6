import { once } from "node:events";
import { Worker } from "node:worker_threads";

export interface AttackerSettings {
  url: string;
  adminToken: string;
  concurrency: number;
  /** Number of initial imports, each of a hundred conversations with 16 kB of metadata. */
  hoards: number;
  /** Size of a body. Below the limit of a write, because names count too. */
  bytes: number;
}

export interface Attacked {
  name: string;
  /** Milliseconds since the epoch. */
  fromMs: number;
  untilMs: number;
  /** 0 when there was no response. */
  status: number;
  /** The start of an unexpected response, or the error of the request. Null when the status was expected. */
  refusal: string | null;
}

/** An attacker that has stored its data. */
export interface Attacker {
  /** Number of different requests. */
  attacks: number;
  /** Send all requests once; resolves to their results. */
  attack(onAttacked: (attacked: Attacked) => void): Promise<Attacked[]>;
  stop(): Promise<void>;
}

/** Start an attacker. @throws {Error} When it cannot make its requests. */
export async function startAttacker(settings: AttackerSettings): Promise<Attacker> {
  const worker = new Worker(new URL("./attacker.ts", import.meta.url), { workerData: settings });
  const [{ attacks }] = (await once(worker, "message")) as [{ attacks: number }];
  return {
    attacks,
    async attack(onAttacked) {
      const { promise, resolve, reject } = Promise.withResolvers<Attacked[]>();
      const all: Attacked[] = [];
      const take = (message: Attacked | "done") => {
        if (message === "done") return resolve(all);
        all.push(message);
        onAttacked(message);
      };
      worker.once("error", reject);
      worker.on("message", take);
      worker.postMessage("go");
      return promise.finally(() => {
        worker.off("error", reject);
        worker.off("message", take);
      });
    },
    async stop() {
      await worker.terminate();
    },
  };
}
