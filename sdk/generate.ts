import { readFile, writeFile } from "node:fs/promises";
import openapiTypescript, { astToString, type OpenAPI3, type SchemaObject } from "openapi-typescript";

const document = new URL("../spec/openapi.json", import.meta.url);
const schema = new URL("src/generated/schema.ts", import.meta.url);

interface ExtendedSchema {
  type: string;
  properties?: Record<string, SchemaObject>;
  required?: string[];
  additionalProperties?: boolean;
}

/** Schemas that have all fields of another one, by their names. */
const EXTENDED = { FoundMessage: "Message", ConversationWithMessages: "Conversation" };

/** Gives the type of an extended schema only its own fields. Written out twice, the others would fill the package. */
function shareFields({ components: { schemas = {} } = {} }: OpenAPI3): void {
  for (const [name, base] of Object.entries(EXTENDED)) {
    const { properties = {}, required = [], ...schema } = schemas[name] as ExtendedSchema;
    const shared = Object.keys((schemas[base] as ExtendedSchema).properties ?? {});
    const own = Object.fromEntries(Object.entries(properties).filter(([field]) => !shared.includes(field)));
    const part = { type: "object", properties: own, required: required.filter((field) => field in own) };
    const { additionalProperties: _, type: __, ...described } = schema;
    schemas[name] = { ...described, allOf: [{ $ref: `#/components/schemas/${base}` }, part] } as SchemaObject;
  }
}

/** Descriptions of operations in the type of the paths. The methods of the client, which callers see, have their own. */
const PATH_DESCRIPTIONS = /^ {8}\/\*\*\n(?: {9}\*.*\n)+(?= {8}(?:get|put|post|delete|patch): operations)/gm;

/** The TypeScript types of the contract; the same text for the same document. */
export async function renderSchema(): Promise<string> {
  const contract = JSON.parse(await readFile(document, "utf8")) as OpenAPI3;
  shareFields(contract);
  const nodes = await openapiTypescript(contract, {
    // What has a default need not be sent.
    defaultNonNullable: false,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
  });
  return `// Generated from spec/openapi.json by \`pnpm generate\`. Do not edit.\n\n${astToString(nodes).replace(PATH_DESCRIPTIONS, "")}`;
}

if (import.meta.main) await writeFile(schema, await renderSchema());
