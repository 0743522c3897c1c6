import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import openapiTypescript, { astToString, type OpenAPI3, type SchemaObject } from "openapi-typescript";
import type { Contract } from "./generator/contract.ts";
import { renderResources } from "./generator/resources.ts";

const document = new URL("../spec/openapi.json", import.meta.url);
const LIMITS = new URL("../spec/src/limits.ts", import.meta.url);
const FOLDER = new URL("src/generated/", import.meta.url);

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

async function renderSchema(contract: OpenAPI3): Promise<string> {
  shareFields(contract);
  const nodes = await openapiTypescript(contract, {
    // What has a default need not be sent.
    defaultNonNullable: false,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
  });
  return `// Generated from spec/openapi.json by \`npm run generate\`. Do not edit.\n\n${astToString(nodes).replace(PATH_DESCRIPTIONS, "")}`;
}

const ROOT = join(import.meta.dirname, "..");

function format(code: string): string {
  const biome = join(ROOT, "node_modules/@biomejs/biome/bin/biome");
  // Biome leaves generated files as they are, so the name is another one.
  const options = { cwd: ROOT, input: code, encoding: "utf8" } as const;
  return execFileSync(
    process.execPath,
    [biome, "check", "--write", "--stdin-file-path=sdk/src/formatted.ts"],
    options,
  );
}

/** The generated files, by name: types of the contract, a class of each resource, and the limits. */
export async function renderFiles(): Promise<Record<string, string>> {
  const text = await readFile(document, "utf8");
  const resources = Object.entries(renderResources(JSON.parse(text) as Contract));
  return {
    "schema.ts": await renderSchema(JSON.parse(text) as OpenAPI3),
    "limits.ts": `// Generated from spec/src/limits.ts by \`npm run generate\`. Do not edit.\n\n${await readFile(LIMITS, "utf8")}`,
    ...Object.fromEntries(resources.map(([file, code]) => [file, format(code)])),
  };
}

if (import.meta.main) {
  for (const [file, code] of Object.entries(await renderFiles()))
    await writeFile(new URL(file, FOLDER), code);
}
