// Packs the packages as a release publishes them, into `packages` or another folder:
//   npm run packages -- [DIR]
import { globSync, mkdirSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { root } from "./commands.mjs";
import { pack } from "./pack.ts";

const folder = resolve(process.argv[2] ?? join(root, "packages"));
mkdirSync(folder, { recursive: true });
for (const file of globSync("engram-*.tgz", { cwd: folder })) rmSync(join(folder, file));
for (const name of ["sdk", "cli", "local", "sentences"]) console.log(relative("", pack(name, folder)));
