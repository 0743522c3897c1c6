import type { Command } from "commander";
import type { Check } from "../check-results.ts";
import { checkAll } from "../checks.ts";
import { contextOf } from "../context.ts";
import { type Output, oneLine, type Style } from "../output.ts";

const EXIT_FAILED = 1;
const NAME_WIDTH = 10;
const STYLES: Record<Check["status"], Style> = { ok: "green", warn: "yellow", fail: "red", skip: "dim" };

export function addDoctor(program: Command): void {
  program
    .command("doctor")
    .description(
      "Check hooks, URL, key, scopes, database, index, clock and versions, and say how to fix problems",
    )
    .addHelpText(
      "after",
      `
Changes nothing. Exits with 1 if a check fails. Run the suggested commands with the same --profile, --url
and --api-key.

Examples:
  $ engram doctor
  $ engram doctor --profile work --json
`,
    )
    .action(async (_options: unknown, command: Command) => {
      const { output, connection } = contextOf(command);
      const checks: Check[] = [];
      for await (const check of checkAll(connection)) {
        checks.push(check);
        // Each check is printed at once, because the next may wait long for a service that does not respond.
        if (!output.json) output.data(check, () => line(check, output));
      }
      const healthy = checks.every(({ status }) => status !== "fail");
      if (output.json) output.data({ healthy, checks }, String);
      if (!healthy) process.exitCode = EXIT_FAILED;
    });
}

function line({ name, status, detail, mend }: Check, { paint }: Output): string {
  const found = `${paint(STYLES[status], status.padEnd(4))}  ${name.padEnd(NAME_WIDTH)}${oneLine(detail)}`;
  return mend === null ? found : `${found}\n      ${"".padEnd(NAME_WIDTH)}→ ${mend}`;
}
