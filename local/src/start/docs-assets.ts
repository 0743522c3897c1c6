import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const OWN = ["docs.css", "docs.js", "pages.css"];
const SWAGGER_UI = ["swagger-ui.css", "swagger-ui-bundle.js"];

export function gatherDocsAssets(root: string, directory: string): string {
  const service = join(root, "service");
  const target = join(root, directory);
  const swaggerUi = dirname(
    createRequire(join(service, "package.json")).resolve("swagger-ui-dist/package.json"),
  );
  mkdirSync(target, { recursive: true });
  for (const file of OWN) update(join(target, file), join(service, "assets", file));
  for (const file of SWAGGER_UI) update(join(target, file), join(swaggerUi, file));
  return target;
}

/** Copies only if the files differ, because a running service could read a half copied file. */
function update(target: string, source: string): void {
  if (!existsSync(target) || !readFileSync(target).equals(readFileSync(source))) copyFileSync(source, target);
}
