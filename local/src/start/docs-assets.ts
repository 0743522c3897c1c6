import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

const OWN = ["docs.css", "docs.js", "pages.css"];
/** Files of Swagger UI and, as their licenses require, the licenses and the notice. */
const SWAGGER_UI = {
  "swagger-ui.css": "swagger-ui.css",
  "swagger-ui-bundle.js": "swagger-ui-bundle.js",
  "swagger-ui-bundle.js.LICENSE.txt": "swagger-ui-bundle.js.LICENSE.txt",
  "swagger-ui-LICENSE.txt": "LICENSE",
  "swagger-ui-NOTICE.txt": "NOTICE",
};

/**
 * Copies the files of the docs page into the folder of the assets. A published package has no sources, but the copies.
 *
 * @returns The path of the folder.
 */
export function gatherDocsAssets(root: string, directory: string): string {
  const target = resolve(root, directory);
  const own = join(root, "service/assets");
  if (!existsSync(own)) return target;
  const swaggerUi = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  mkdirSync(target, { recursive: true });
  for (const file of OWN) update(join(target, file), join(own, file));
  for (const [file, source] of Object.entries(SWAGGER_UI))
    update(join(target, file), join(swaggerUi, source));
  return target;
}

/** Copies only if the files differ, because a running service could read a half copied file. */
function update(target: string, source: string): void {
  if (!existsSync(target) || !readFileSync(target).equals(readFileSync(source))) copyFileSync(source, target);
}
