import { once } from "node:events";
import { createServer } from "node:net";
import { findPortHolder } from "./port-holder.ts";
import { StartError } from "./start-error.ts";

/**
 * "A MEMO" on a telephone's keys. IANA has assigned this port to no service, and no operating system picks it for an
 * outgoing connection: those ports begin at 32768 on Linux, and later elsewhere.
 */
export const DEFAULT_PORT = 26366;
const PORT_MAX = 65_535;
/** Number of ports from the default one on that are tried if the user names none. */
const DEFAULT_TRIES = 10;
/** Number of free ports that are tried if the user wants any. */
const FREE_TRIES = 5;

/**
 * Undefined if the user names no port.
 *
 * @param name The variable or option that has the value, for the message.
 * @throws {StartError} If `value` is not a port number.
 */
export function readPort(name: string, value: string | undefined): number | undefined {
  if (value === undefined || value === "") return undefined;
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (port <= PORT_MAX) return port;
  throw new StartError(`${name} must be a number from 0 (any free port) to ${PORT_MAX}, not "${value}".`);
}

/**
 * Returns `port` if it is free, or a free port if `port` is 0.
 *
 * @throws {StartError} If another program uses the port, or this user does not have the right to use it.
 */
async function claimPort(port: number): Promise<number> {
  const server = createServer();
  try {
    server.listen({ host: "127.0.0.1", port, exclusive: true });
    await once(server, "listening");
    const address = server.address();
    return address !== null && typeof address === "object" ? address.port : port;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EADDRINUSE") throw new PortTakenError(port);
    if (code === "EACCES") throw new StartError(`Port ${port} needs rights that this user does not have.`);
    throw error;
  } finally {
    server.close();
  }
}

export class PortTakenError extends StartError {
  readonly port: number;

  constructor(port: number, holder = "another program") {
    const other = port < PORT_MAX ? port + 1 : port - 1;
    super(
      `Port ${port} of 127.0.0.1 is taken by ${holder}.\n` +
        `Stop that program, or set PORT to another port, such as PORT=${other}, or to 0 for any free port.`,
    );
    this.port = port;
  }
}

/**
 * Calls `serve` with a free port: with `port`, or with any if `port` is 0. If `port` is undefined, tries the default
 * port and the ports after it. If the default port is taken, calls `note` with a line that says which port is used.
 *
 * @throws {PortTakenError} If each of these ports is taken. The message names the program that has the first one, if
 * that can be determined.
 */
export async function onPort<Served>(
  port: number | undefined,
  serve: (port: number) => Promise<Served>,
  note: (line: string) => void = () => {},
): Promise<Served> {
  let taken: { port: number; holder: string | undefined } | undefined;
  for (const candidate of portsToTry(port)) {
    try {
      const claimed = await claimPort(candidate);
      if (port === undefined && taken !== undefined) {
        const holder = taken.holder ?? "another program";
        note(`Port ${taken.port} is taken by ${holder}. Using port ${claimed}. To choose a port, set PORT.`);
      }
      return await serve(claimed);
    } catch (error) {
      if (!(error instanceof PortTakenError)) throw error;
      taken ??= { port: error.port, holder: await findPortHolder(error.port) };
    }
  }
  throw new PortTakenError(taken?.port ?? DEFAULT_PORT, taken?.holder);
}

function portsToTry(port: number | undefined): number[] {
  if (port === undefined) return Array.from({ length: DEFAULT_TRIES }, (_, i) => DEFAULT_PORT + i);
  return port === 0 ? Array(FREE_TRIES).fill(0) : [port];
}
