import { type SpawnOptions, spawn } from "node:child_process";

/** Characters of a failed program's output that are reported. */
const REASON_CHARACTERS = 300;
/** One package compiles a database where no prebuilt one is available, which takes minutes. */
const TIMEOUT_MS = 900_000;

/** Runs a program to its end. @throws {Error} with the end of its output when it fails. */
export async function runProgram(file: string, args: readonly string[], options: SpawnOptions = {}) {
  const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-REASON_CHARACTERS);
    });
  const timer = setTimeout(() => child.kill("SIGKILL"), TIMEOUT_MS);
  const code = await new Promise<number | null>((done) => {
    child.once("error", () => done(null));
    child.once("close", done);
  });
  clearTimeout(timer);
  if (code !== 0) throw new Error(`${file} ${args.slice(0, 2).join(" ")} failed: ${output.trim()}`);
}
