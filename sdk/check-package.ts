// A program: packs the package as it is published, and fails when a way of installing it would meet a problem.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

/** What installing it may cost: what is downloaded, and what stands on the disk then. */
const TARBALL_BYTES_MAX = 120_000;
const UNPACKED_BYTES_MAX = 600_000;

const packageDirectory = import.meta.dirname;
const tarball = packed();
const manifest = JSON.parse(readFileSync(join(packageDirectory, "package.json"), "utf8"));
const unpackedBytes = gunzipSync(tarball).byteLength;
const types = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
const { messages } = await publint({
  pack: { tarball: Uint8Array.from(tarball).buffer },
  level: "suggestion",
  strict: true,
});
const problems = [
  ...(types.types ? types.problems.map((problem) => `types: ${JSON.stringify(problem)}`) : ["no types"]),
  ...messages.map((message) => formatMessage(message, manifest) ?? message.code),
  ...(manifest.dependencies === undefined ? [] : ["dependencies are installed beside it"]),
  ...(tarball.byteLength > TARBALL_BYTES_MAX ? [`more than ${TARBALL_BYTES_MAX} bytes to download`] : []),
  ...(unpackedBytes > UNPACKED_BYTES_MAX ? [`more than ${UNPACKED_BYTES_MAX} bytes unpacked`] : []),
];
for (const problem of problems) console.error(problem);
console.log(`${tarball.byteLength} bytes packed, ${unpackedBytes} unpacked, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

function packed(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "engram-package-"));
  try {
    const { packageManager } = JSON.parse(readFileSync(join(packageDirectory, "../package.json"), "utf8"));
    const args = ["-y", "--prefer-offline", packageManager, "pack", "--pack-destination", folder];
    execFileSync("npx", args, { cwd: packageDirectory, stdio: ["ignore", "ignore", "pipe"] });
    return readFileSync(join(folder, readdirSync(folder)[0] ?? ""));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
