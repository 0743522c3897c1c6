import { Engram, type EngramOptions } from "@engram/sdk";
import type { Command } from "commander";
import { CommandError } from "./command-error.ts";
import { type Connection, type ConnectionFlags, findConnection, loginCommand } from "./connection.ts";
import { createOutput, type Output } from "./output.ts";

export interface Globals extends ConnectionFlags {
  json?: boolean;
}

export interface Context {
  output: Output;
  connection: Connection;
  /** @throws {CommandError} If there is no key, or the URL, the key or an option is invalid. */
  client(options?: Partial<EngramOptions>): Engram;
}

export function contextOf(command: Command): Context {
  const flags = command.optsWithGlobals<Globals>();
  const connection = findConnection(flags, process.env);
  return {
    output: createOutput(flags.json === true),
    connection,
    client(options) {
      const { url, apiKey } = connection;
      if (apiKey === undefined) {
        throw new CommandError(
          `No key for ${url}. Log in with \`${loginCommand(connection)}\`, or set ENGRAM_API_KEY.`,
        );
      }
      return connect(url, apiKey, options);
    },
  };
}

export function connect(url: string, apiKey: string | null, options: Partial<EngramOptions> = {}): Engram {
  try {
    return new Engram({ baseUrl: url, apiKey, ...options });
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
}
