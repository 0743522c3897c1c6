// Refuses what a splitter of SQL can trip over. Cloudflare splits the text of a migration into its statements, and has
// split at semicolons and quotes in comments and inside triggers (cloudflare/workers-sdk issues 4713, 4767 and 15690).
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./commands.mjs";

/** A comment, a string or a quoted name, in this order: each may contain what begins the others. */
const TOKENS = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"/g;

/** What is wrong with the text of a migration, one sentence each. Empty if nothing is. */
export function faultsOf(sql) {
  const tokens = sql.match(TOKENS) ?? [];
  const comments = tokens.filter((token) => token.startsWith("--"));
  const strings = tokens.filter((token) => /^['"]/.test(token));
  const statements = sql.replaceAll(TOKENS, (token) => (/^['"]/.test(token) ? "''" : ""));
  return [
    ...comments
      .filter((comment) => /['"`;]/.test(comment))
      .map((comment) => `quote or semicolon: ${comment}`),
    ...strings.filter((string) => string.includes(";")).map((string) => `semicolon in a string: ${string}`),
    ...(tokens.some((token) => token.startsWith("/*")) ? ["block comment"] : []),
    ...(/\bCREATE\s+(TEMP\w*\s+)?TRIGGER\b/i.test(statements) ? ["trigger"] : []),
    ...(/\b(BEGIN|COMMIT|ROLLBACK|SAVEPOINT)\b/i.test(statements) ? ["transaction"] : []),
    ...(sql.includes("\r") ? ["carriage return"] : []),
    ...(/;\s*(--[^\n]*\s*)*$/.test(sql) ? [] : ["no semicolon at the end"]),
  ];
}

/** @throws when a migration has a fault, with its file and what is wrong. */
export function checkMigrations() {
  const folder = join(root, "migrations");
  const faults = readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .flatMap((file) =>
      faultsOf(readFileSync(join(folder, file), "utf8")).map((fault) => `  ${file}: ${fault}`),
    );
  if (faults.length > 0)
    throw new Error(`migrations that Cloudflare may split wrongly:\n${faults.join("\n")}`);
}
