import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { inject, onTestFinished } from "vitest";

export const service = { url: inject("url"), key: inject("key") };

/** Starts an example, such as `chatbot/server.ts`, at a free port until the end of the test. */
export function start(
  file: string,
  { args = [], env = {} }: { args?: string[]; env?: Record<string, string> } = {},
) {
  const settings = { ENGRAM_URL: service.url, ENGRAM_API_KEY: service.key, PORT: "0", ...env };
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, "../..", file), ...args], {
    env: { ...process.env, ...settings },
  });
  onTestFinished(() => void child.kill());
  /** `status`: the exit status, once the program has ended. */
  const state: { printed: string; status?: number | null } = { printed: "" };
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (data: Buffer) => {
      state.printed += data;
    });
  child.on("close", (status) => {
    state.status = status;
  });
  return state;
}

/** Calls the service: a POST with a body, else a GET. */
export async function call<Body>(path: string, body?: object): Promise<Body> {
  const response = await fetch(`${service.url}/v1${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${service.key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return (await response.json()) as Body;
}
