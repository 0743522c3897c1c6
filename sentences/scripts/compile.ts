// Compiles assembly/encoder.ts to the committed programs in assets/: node sentences/scripts/compile.ts
// A test fails when they differ.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { main } from "assemblyscript/asc";

const PACKAGE = join(import.meta.dirname, "..");

/** By file name: with the instruction for dot products that Node.js has since version 21, and without. */
const FEATURES = {
  "encoder.wasm": ["--enable", "relaxed-simd"],
  "encoder-plain.wasm": [],
};

export async function compileEncoders(): Promise<Map<string, Uint8Array>> {
  const programs = new Map<string, Uint8Array>();
  for (const [name, features] of Object.entries(FEATURES)) {
    const options = [
      "-O3",
      "--enable",
      "simd",
      "--noAssert",
      "--runtime",
      "stub",
      "--use",
      "abort=",
      ...features,
    ];
    const { error, stderr } = await main(
      ["assembly/encoder.ts", "--baseDir", PACKAGE, "-o", name, ...options],
      {
        writeFile: (file, content) => {
          if (typeof content !== "string") programs.set(file, content);
        },
      },
    );
    if (error !== null) throw new Error(`${error.message}\n${stderr}`);
  }
  return programs;
}

if (process.argv[1] === import.meta.filename) {
  for (const [name, bytes] of await compileEncoders()) {
    writeFileSync(join(PACKAGE, "assets", name), bytes);
    console.log(`${name}: ${bytes.length} bytes`);
  }
}
