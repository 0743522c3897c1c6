import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export const HOST = "127.0.0.1";
const START_TIMEOUT_MS = 30_000;
const POLL_MS = 100;

/** Start a peer's server, which ends with this process. Resolves once `ask` does. */
export async function startServer(program, args, ask, options = {}) {
  const server = spawn(program, args, { ...options, stdio: ["ignore", "ignore", "inherit"] });
  process.once("exit", () => server.kill());
  for (let waited = 0; waited < START_TIMEOUT_MS && server.exitCode === null; waited += POLL_MS) {
    try {
      await ask();
      return server;
    } catch {
      await sleep(POLL_MS);
    }
  }
  throw new Error(`${program} does not answer (exit code ${server.exitCode})`);
}

export async function freePort() {
  const server = createServer().listen(0, HOST);
  await once(server, "listening");
  const { port } = server.address();
  await once(server.close(), "close");
  return port;
}
