import { Engram, type EngramOptions } from "@engram/sdk";
import type { Command } from "commander";
import { CommandError } from "./command-error.ts";
import { type Connection, type ConnectionFlags, findConnection } from "./connection.ts";
import { createOutput, type Output } from "./output.ts";

/** The options that every command has. */
export interface Globals extends ConnectionFlags {
  json?: boolean;
}

/** What a command works with beside its own arguments. */
export interface Context {
  output: Output;
  connection: Connection;
  /** A client with the key. @throws {CommandError} where there is none. */
  client(options?: Partial<EngramOptions>): Engram;
}

/** What the command line, the environment and the profile come to. */
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
          `There is no key for ${url}. Log in with \`engram login --url ${url}\`, or set ENGRAM_API_KEY.`,
        );
      }
      return connect(url, apiKey, options);
    },
  };
}

/** A client. @throws {CommandError} when URL or key cannot be one. */
export function connect(url: string, apiKey: string, options: Partial<EngramOptions> = {}): Engram {
  try {
    return new Engram({ baseUrl: url, apiKey, ...options });
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
}
