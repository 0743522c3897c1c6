// A program: packs the package as it is published, and fails when a way of installing it would meet a problem.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { pack } from "../scripts/pack.ts";
import { findPackageProblems } from "./package-problems.ts";

/** Size limits of the package: of the download, and on the disk after the installation. */
const TARBALL_BYTES_MAX = 170_000;
const UNPACKED_BYTES_MAX = 880_000;

const tarball = packed();
const { dependencies } = JSON.parse(readFileSync(join(import.meta.dirname, "package.json"), "utf8"));
const unpackedBytes = gunzipSync(tarball).byteLength;
const { types, packaging } = await findPackageProblems(tarball);
const problems = [
  ...types.map((problem) => `types: ${problem}`),
  ...packaging,
  ...(dependencies === undefined ? [] : ["dependencies are installed with it"]),
  ...(tarball.byteLength > TARBALL_BYTES_MAX ? [`more than ${TARBALL_BYTES_MAX} bytes to download`] : []),
  ...(unpackedBytes > UNPACKED_BYTES_MAX ? [`more than ${UNPACKED_BYTES_MAX} bytes unpacked`] : []),
];
for (const problem of problems) console.error(problem);
console.log(`${tarball.byteLength} bytes packed, ${unpackedBytes} unpacked, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

function packed(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "engram-package-"));
  try {
    return readFileSync(pack("sdk", folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
