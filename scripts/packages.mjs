// Packs the packages as a release publishes them, into `packages`.
import { mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "./commands.mjs";
import { pack } from "./pack.ts";

const folder = join(root, "packages");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const name of ["sdk", "cli", "local", "sentences"])
  console.log(`packages/${basename(pack(name, folder))}`);
