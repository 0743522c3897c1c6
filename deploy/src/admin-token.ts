import { randomInt } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { DeployError } from "./deploy-error.ts";
import type { Step } from "./steps.ts";
import type { Ask } from "./terminal.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const WELL_FORMED = /^[\x21-\x7e]{24,}$/;

export interface AdminToken {
  /**
   * A new token is stored in this file before it is uploaded, so that an interrupted run does not lose it.
   */
  file: string;
  isKept: boolean;
  /**
   * Undefined if the token is neither given nor in `file`: it does not exist yet, or another machine set
   * it.
   */
  value: string | undefined;
  isNew: boolean;
}

/**
 * @throws {DeployError} If the Worker has no admin token yet, and `given` is too short or contains a
 * character that is not allowed.
 */
export function readAdminToken(input: {
  file: string;
  given: string | undefined;
  isNew: boolean;
}): AdminToken {
  const { file, given, isNew } = input;
  const kept = readKept(file);
  if (given !== undefined && isNew) checkForm(given, "ENGRAM_ADMIN_TOKEN");
  const value = given ?? kept;
  return { file, isNew, value, isKept: value !== undefined && value === kept };
}

/** @param ask Asks the user a question. Absent if there is no terminal. */
export function adminTokenStep(token: AdminToken, ask?: Ask): Step {
  const title = "Admin token";
  const file = shown(token.file);
  if (!token.isNew) return { title, text: "the Worker has one" };
  if (token.isKept) return { title, text: `kept in ${file}` };
  const isGenerated = token.value === undefined && ask === undefined;
  const source = isGenerated ? "generate one" : token.value === undefined ? "ask for one" : "the one given";
  return {
    title,
    text: `${source}, kept in ${file}`,
    note: isGenerated ? "Where this folder does not last, as in CI, set ENGRAM_ADMIN_TOKEN." : undefined,
    async change() {
      token.value ??=
        (await ask?.("Admin token of the new Worker (Enter generates one): ", true)) || generate();
      checkForm(token.value, "The admin token");
      mkdirSync(dirname(token.file), { recursive: true, mode: 0o700 });
      writeFileSync(token.file, `${token.value}\n`, { mode: 0o600 });
      token.isKept = true;
      return `kept in ${file}`;
    },
  };
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
