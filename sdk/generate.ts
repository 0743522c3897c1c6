import { readFile, writeFile } from "node:fs/promises";
import openapiTypescript, { astToString, type OpenAPI3 } from "openapi-typescript";

const document = new URL("../spec/openapi.json", import.meta.url);
const schema = new URL("src/generated/schema.ts", import.meta.url);

/** The TypeScript types of the contract; the same text for the same document. */
export async function renderSchema(): Promise<string> {
  const contract = JSON.parse(await readFile(document, "utf8")) as OpenAPI3;
  const nodes = await openapiTypescript(contract, {
    // What has a default need not be sent.
    defaultNonNullable: false,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
  });
  return `// Generated from spec/openapi.json by \`pnpm generate\`. Do not edit.\n\n${astToString(nodes)}`;
}

if (import.meta.main) await writeFile(schema, await renderSchema());
