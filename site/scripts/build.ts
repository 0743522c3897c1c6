// Builds the site into site/dist, from the repository alone:
//
//   SITE_BASE=/engram/                            where it is served under a path; "/" unless given
//   SITE_REPOSITORY=https://github.com/…/engram   where links to source files lead; unless given, they are text
//
// With --preview, it then serves the site on this machine.
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { build, serve } from "vitepress";
import { writeApiReference } from "./api-reference.ts";
import { writeCliReference } from "./cli-reference.ts";
import { writeDocuments } from "./documents.ts";
import { writeSdkReference } from "./sdk-reference.ts";

const SITE = resolve(import.meta.dirname, "..");
const GENERATED = join(SITE, "pages/generated");

for (const folder of [GENERATED, join(SITE, "pages/public/generated")])
  rmSync(folder, { recursive: true, force: true });
writeDocuments(GENERATED, join(SITE, "pages/public"), process.env.SITE_REPOSITORY);
writeApiReference(GENERATED);
writeCliReference(GENERATED);
await writeSdkReference(GENERATED);
await build(SITE);
if (process.argv.includes("--preview")) await serve({ root: SITE });
