import { once } from "node:events";
import { createServer } from "node:net";
import { StartError } from "./start-error.ts";

export const DEFAULT_PORT = 8787;

/** @throws {StartError} If `value` is not a port number. */
export function parsePort(value: string | undefined): number {
  if (value === undefined || value === "") return DEFAULT_PORT;
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (port <= 65_535) return port;
  throw new StartError(`PORT must be a number from 0 (any free port) to 65535, not "${value}".`);
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
  constructor(port: number) {
    const other = port < 65_535 ? port + 1 : port - 1;
    super(
      `Port ${port} of 127.0.0.1 is taken by another program.\n` +
        `Stop that one, or choose another port: PORT=${other} npm start`,
    );
  }
}

const TRIES_MAX = 5;

/**
 * Calls `serve` with the port, or with a free port if `port` is 0. If another program takes that free port
 * first, tries again with another one. Throws the errors of `claimPort` and `serve`.
 */
export async function onPort<Served>(
  port: number,
  serve: (port: number) => Promise<Served>,
): Promise<Served> {
  for (let tries = 1; ; tries++) {
    try {
      return await serve(await claimPort(port));
    } catch (error) {
      if (port !== 0 || tries === TRIES_MAX || !(error instanceof PortTakenError)) throw error;
    }
  }
}
