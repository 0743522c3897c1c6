// The recorded wrangler as a program: the account is in the file that RECORDED_ACCOUNT names.
import { readFileSync, writeFileSync } from "node:fs";
import { recordedWrangler } from "./recorded-wrangler.ts";

const { RECORDED_ACCOUNT = "", RECORDED_HANG, WRANGLER_OUTPUT_FILE_PATH = "" } = process.env;
const args = process.argv.slice(2);
const before = readFileSync(RECORDED_ACCOUNT, "utf8");
const account = JSON.parse(before);

if (RECORDED_HANG !== undefined && args.join(" ").startsWith(RECORDED_HANG)) {
  writeFileSync(`${RECORDED_ACCOUNT}.hanging`, String(process.pid));
  setInterval(() => {}, 60_000);
} else {
  const { code, stdout, stderr, report } = await recordedWrangler(account)(args);
  // Looks run side by side and write nothing.
  const after = JSON.stringify(account);
  if (after !== before) writeFileSync(RECORDED_ACCOUNT, after);
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  writeFileSync(WRANGLER_OUTPUT_FILE_PATH, report);
  process.exitCode = code ?? 1;
}
