import { randomInt } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { DeployError } from "./deploy-error.ts";
import type { Ask, Progress } from "./terminal.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const TITLE = "Admin token";
const WELL_FORMED = /^[\x21-\x7e]{24,}$/;

export interface AdminToken {
  /** A new token is stored in this file before it is uploaded, so that an interrupted run does not lose it. */
  file: string;
  /** Undefined if it is neither given nor in `file`: another machine set it, or this is a dry run. */
  value: string | undefined;
  /** Whether the Worker has none yet. */
  isNew: boolean;
}

/**
 * Finds the admin token. If the Worker has none and no token is given or stored, asks for one or generates it.
 *
 * @throws {DeployError} If the Worker has none, and the token is too short or contains a character that is not
 * allowed.
 */
export async function settleAdminToken(
  progress: Progress,
  input: { file: string; given: string | undefined; isNew: boolean; ask: Ask | undefined },
): Promise<AdminToken> {
  const { file, given, isNew, ask } = input;
  const token: AdminToken = { file, isNew, value: given ?? readKept(file) };
  if (!isNew) await progress.step(TITLE, "the Worker has one");
  else if (isKept(token)) await progress.step(TITLE, `kept in ${shown(file)}`);
  else {
    if (given !== undefined) checkForm(given, "ENGRAM_ADMIN_TOKEN");
    else if (ask === undefined)
      progress.note("Where this folder does not last, as in CI, set ENGRAM_ADMIN_TOKEN.");
    await progress.step(TITLE, `keep a new one in ${shown(file)}`, async () => {
      const value =
        given ?? ((await ask?.("Admin token of the new Worker (Enter generates one): ", true)) || generate());
      checkForm(value, "The admin token");
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      writeFileSync(file, `${value}\n`, { mode: 0o600 });
      token.value = value;
      return `kept in ${shown(file)}`;
    });
  }
  return token;
}

/** Whether `file` has the token. */
export function isKept({ file, value }: AdminToken): boolean {
  return value !== undefined && value === readKept(file);
}

export function shown(file: string): string {
  return relative(process.cwd(), file);
}

function readKept(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim() || undefined;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function generate(): string {
  const characters = Array.from({ length: 32 }, () => BASE62[randomInt(BASE62.length)]);
  return `engram_admin_${characters.join("")}`;
}

function checkForm(token: string, name: string): void {
  if (WELL_FORMED.test(token)) return;
  throw new DeployError(
    `${name} must have at least 24 characters, all of them printable ASCII, none a blank.`,
  );
}
