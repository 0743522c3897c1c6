import { copyFileSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const OWN = ["docs.html", "docs.js"];
const SWAGGER_UI = ["swagger-ui.css", "swagger-ui-bundle.js"];

/** Gather the files of the docs page where wrangler.toml looks for them; resolves to that folder. */
export function gatherDocsAssets(root: string, directory: string): string {
  const service = join(root, "service");
  const target = join(root, directory);
  const swaggerUi = dirname(
    createRequire(join(service, "package.json")).resolve("swagger-ui-dist/package.json"),
  );
  mkdirSync(target, { recursive: true });
  for (const file of OWN) copyFileSync(join(service, "assets", file), join(target, file));
  for (const file of SWAGGER_UI) copyFileSync(join(swaggerUi, file), join(target, file));
  return target;
}
