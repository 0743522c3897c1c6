// A process that runs the program again and again, each time with its own arguments, environment and input. The
// modules stay loaded, which takes most of the time of a short command.
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { pathToFileURL } from "node:url";

/** A run of the program. */
export interface Command {
  args: string[];
  env: Record<string, string>;
  input: string;
}

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

const PROGRAM = join(import.meta.dirname, "../../src/engram.ts");
/** The entry's code after its check of the Node version. */
const MAIN = join(import.meta.dirname, "../../src/main.ts");

let runs = 0;

process.on("message", async ({ args, env, input }: Command) => {
  const { stdout, stderr } = { stdout: collect(), stderr: collect() };
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv.splice(1, Number.POSITIVE_INFINITY, PROGRAM, ...args);
  process.exitCode = undefined;
  for (const signal of ["SIGINT", "SIGTERM"]) process.removeAllListeners(signal);
  const streams = {
    stdin: Readable.from([Buffer.from(input)]),
    stdout: stdout.stream,
    stderr: stderr.stream,
  };
  for (const [name, value] of Object.entries(streams))
    Object.defineProperty(process, name, { value, configurable: true });
  // The number makes Node run the module again, with its imports already loaded.
  await import(`${pathToFileURL(MAIN)}?${runs++}`);
  const ran: Ran = { code: Number(process.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text() };
  process.send?.(ran);
});

function collect(): { stream: Writable; text: () => string } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
