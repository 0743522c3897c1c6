import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** A peer's program in Python, which answers each line of JSON with one. It embeds over `/v1/embeddings`. */
export async function createPythonStores(peer, directory, embedder) {
  const server = createServer(async (request, response) => {
    const parts = await request.toArray();
    const { input } = JSON.parse(Buffer.concat(parts).toString());
    const data = input.map((text, index) => ({ index, embedding: [...embedder.embed(text)] }));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ object: "list", data, model: "engram" }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const folder = join(import.meta.dirname, peer);
  const url = `http://127.0.0.1:${server.address().port}/v1/embeddings`;
  const program = spawn(join(folder, "venv/bin/python"), [join(folder, "ranked.py"), directory, url], {
    stdio: ["pipe", "pipe", "pipe"],
    // No files in the home directory.
    env: { ...process.env, HOME: directory },
  });
  process.once("exit", () => program.kill());
  let errors = "";
  program.stderr.on("data", (chunk) => {
    errors = (errors + chunk).slice(-2_000);
  });
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  const call = async (message) => {
    program.stdin.write(`${JSON.stringify(message)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error(`${peer} ended: ${errors.trim().split("\n").at(-1)}`);
    return JSON.parse(value);
  };
  return {
    async open(name) {
      await call({ open: name });
      return {
        add: (messages) => call({ add: messages }),
        search: (question, limit) => call({ search: question, limit }),
        async close() {},
      };
    },
    async close() {
      program.stdin.end();
      server.close();
      if (program.exitCode === null) await once(program, "exit");
    },
  };
}
