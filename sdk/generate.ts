import { readFile, writeFile } from "node:fs/promises";
import openapiTypescript, { astToString, type OpenAPI3, type ResponseObject } from "openapi-typescript";

const document = new URL("../spec/openapi.json", import.meta.url);
const schema = new URL("src/generated/schema.ts", import.meta.url);

/** Gives the error responses names. All have the same type; written out at each operation, they would be half of the package. */
function nameRefusals(contract: OpenAPI3): void {
  const refusals: Record<string, ResponseObject> = {};
  for (const operation of Object.values(contract.paths ?? {}).flatMap((path) => Object.values(path))) {
    for (const [status, response] of Object.entries<ResponseObject>(operation.responses ?? {})) {
      if (response.content?.["application/problem+json"] === undefined) continue;
      refusals[status] ??= { ...response, description: "Refused: `code` says why." };
      operation.responses[status] = { $ref: `#/components/responses/${status}` };
    }
  }
  contract.components = { ...contract.components, responses: refusals };
}

/** The TypeScript types of the contract; the same text for the same document. */
export async function renderSchema(): Promise<string> {
  const contract = JSON.parse(await readFile(document, "utf8")) as OpenAPI3;
  nameRefusals(contract);
  const nodes = await openapiTypescript(contract, {
    // What has a default need not be sent.
    defaultNonNullable: false,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
  });
  return `// Generated from spec/openapi.json by \`pnpm generate\`. Do not edit.\n\n${astToString(nodes)}`;
}

if (import.meta.main) await writeFile(schema, await renderSchema());
