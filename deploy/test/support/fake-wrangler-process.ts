// The fake wrangler as a program. FAKE_ACCOUNT names the file with the account.
import { readFileSync, writeFileSync } from "node:fs";
import { fakeWrangler } from "./fake-wrangler.ts";

const { FAKE_ACCOUNT = "", FAKE_HANG, WRANGLER_OUTPUT_FILE_PATH = "" } = process.env;
const args = process.argv.slice(2);
const before = readFileSync(FAKE_ACCOUNT, "utf8");
const account = JSON.parse(before);

if (FAKE_HANG !== undefined && args.join(" ").startsWith(FAKE_HANG)) {
  writeFileSync(`${FAKE_ACCOUNT}.hanging`, String(process.pid));
  setInterval(() => {}, 60_000);
} else {
  const { code, stdout, stderr, report } = await fakeWrangler(account)(args);
  // Reading commands run concurrently and write nothing.
  const after = JSON.stringify(account);
  if (after !== before) writeFileSync(FAKE_ACCOUNT, after);
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  writeFileSync(WRANGLER_OUTPUT_FILE_PATH, report);
  process.exitCode = code ?? 1;
}
