import { writeFile } from "node:fs/promises";
import { asyncApiDocument } from "./src/asyncapi.ts";
import { openApiDocument } from "./src/document.ts";

const documents = { "openapi.json": openApiDocument(), "asyncapi.json": asyncApiDocument() };
for (const [file, document] of Object.entries(documents))
  await writeFile(new URL(file, import.meta.url), `${JSON.stringify(document, null, 2)}\n`);
