// What the generator reads of the OpenAPI document, and the method of the SDK that each operation has.

export interface Schema {
  $ref?: string;
  type?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  minProperties?: number;
  contentMediaType?: string;
  contentSchema?: { additionalProperties: { type: string[] } };
}

export interface Parameter {
  in: string;
  name: string;
  description: string;
  required: boolean;
  schema: Schema;
}

export interface Response {
  $ref?: string;
  description: string;
  headers?: object;
  content?: Record<string, { schema: Schema; examples?: object }>;
}

export interface Operation {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, Response>;
  "x-sdk"?: { method?: string; takes?: string; repeatable?: true };
  "x-codeSamples": { source: string }[];
}

/** What the SDK reads of the OpenAPI document. */
export interface Contract {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
    examples: Record<string, { description: string }>;
  };
}

/** A method of the SDK, and its operation. */
export interface Method {
  /** The property of the client that has the method; null for a method of the client itself. */
  resource: string | null;
  name: string;
  verb: string;
  path: string;
  operation: Operation;
}

/** The methods of all operations, in the order of the document. @throws {Error} when two have the same name. */
export function methodsOf({ paths }: Contract): Method[] {
  const methods = Object.entries(paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => {
      return { ...nameOf(operation), verb: verb.toUpperCase(), path, operation };
    }),
  );
  const names = methods.map(fullName);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined)
    throw new Error(`Two operations have the method ${twice}: name one in its contract`);
  return methods;
}

/** The name that the contract gives, or such as `conversations.create` for `createConversation`. */
function nameOf({ operationId, tags: [tag], "x-sdk": { method } = {} }: Operation) {
  const resource = toCamelCase(tag);
  const plural = toPascalCase(resource);
  const noun = new RegExp(`(?:${plural}|${plural.replace(/ies$/, "y").replace(/s$/, "")})$`);
  const [name = "", owner = null] = (method ?? `${resource}.${operationId.replace(noun, "")}`)
    .split(".")
    .reverse();
  return { name, resource: owner };
}

export const fullName = ({ resource, name }: Method): string =>
  resource === null ? name : `${resource}.${name}`;

/** The schema or response that this one refers to, by its name; an empty name if it refers to none. */
export const refName = ({ $ref = "" }: { $ref?: string }): string => $ref.replace(/^.*\//, "");

export const toCamelCase = (text: string): string =>
  text
    .replace(/^[A-Z]/, (letter) => letter.toLowerCase())
    .replace(/[ _-](\w)/g, (_, letter) => letter.toUpperCase());

export const toPascalCase = (text: string): string =>
  text.replace(/^[a-z]/, (letter) => letter.toUpperCase());
