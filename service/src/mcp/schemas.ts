import type { JSONObject, JSONValue } from "@modelcontextprotocol/server";

export type Schema = JSONObject;

export interface ObjectSchema extends Schema {
  type: "object";
  properties: Record<string, Schema>;
}

/** Keywords kept in input schemas: those that help a model. The API checks the others, such as lengths and patterns. */
const INPUT_WORDS = "type description enum default maximum items properties required format";
/**
 * Keywords kept in output schemas: those that a client needs to read a result. `additionalProperties` is left out, so
 * clients accept fields that are added later.
 */
const OUTPUT_WORDS = "type items properties anyOf";

const toSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));
const KEPT = { input: toSet(`${INPUT_WORDS} anyOf additionalProperties`), output: toSet(OUTPUT_WORDS) };

/**
 * Shortens the schemas of an OpenAPI 3.1 document and resolves their references. Leaves out validation keywords,
 * examples, the properties in `omits` at any depth, and alternatives of `oneOf` that require one of these properties.
 */
export class SchemaReader {
  readonly #components: Record<string, Schema>;
  readonly #use: keyof typeof KEPT;
  readonly #omits: readonly string[];

  constructor(components: Record<string, Schema>, use: keyof typeof KEPT, omits: readonly string[] = []) {
    this.#components = components;
    this.#use = use;
    this.#omits = omits;
  }

  read(schema: Schema): Schema {
    const { allOf, oneOf, ...resolved } = this.#resolve(schema);
    if (Array.isArray(oneOf)) return this.#readUnion(oneOf as Schema[]);
    const merged = Array.isArray(allOf)
      ? mergeObjects((allOf as Schema[]).map((part) => this.#resolve(part)))
      : {};
    const read: Schema = {};
    for (const [word, value] of Object.entries({ ...merged, ...resolved })) {
      // A keyword with the value `{}` means the same as no keyword. `additionalProperties: false` is set once, on the
      // root schema.
      const isMeaningful = !isEmptyObject(value) && !(word === "additionalProperties" && value === false);
      if (isMeaningful && KEPT[this.#use].has(word)) read[word] = this.#readWord(word, value);
    }
    return read;
  }

  /**
   * The same as `read`, for the schema of an object.
   *
   * @throws {Error} if the schema is not that of an object.
   */
  readObject(schema: Schema): ObjectSchema {
    const { type, properties = {}, ...more } = this.read(schema);
    if (type !== "object") throw new Error(`not an object: ${JSON.stringify(schema)}`);
    return {
      type,
      properties: properties as Record<string, Schema>,
      ...more,
    };
  }

  #readWord(word: string, value: JSONValue): JSONValue {
    if (word === "items") return this.#readItems(value as Schema);
    if (word === "type" && this.#use === "input") return withoutNull(value);
    if (word === "description") return firstSentence(String(value));
    if (word === "anyOf") return (value as Schema[]).map((option) => this.read(option));
    if (word !== "properties") return value;
    const properties = Object.entries(value as Record<string, Schema>).filter(
      ([name]) => !this.#omits.includes(name),
    );
    return Object.fromEntries(properties.map(([name, property]) => [name, this.read(property)]));
  }

  #readUnion(options: Schema[]): Schema {
    const open = options.filter((option) => {
      const { required = [] } = this.#resolve(option);
      return !(required as string[]).some((name) => this.#omits.includes(name));
    });
    const [only = {}, ...others] = open.map((option) => this.read(option));
    return others.length === 0 ? only : { anyOf: [only, ...others] };
  }

  /** Leaves out the description of items without properties, because the description of the list is enough. */
  #readItems(schema: Schema): Schema {
    const { description, ...items } = this.read(schema);
    return items.properties === undefined || description === undefined ? items : { ...items, description };
  }

  #resolve(schema: Schema): Schema {
    const { $ref, ...beside } = schema;
    if (typeof $ref !== "string") return schema;
    const component = this.#components[$ref.replace("#/components/schemas/", "")];
    if (component === undefined) throw new Error(`no schema ${$ref}`);
    return { ...this.#resolve(component), ...beside };
  }
}

/** Without the type `null`: `readArguments` takes null for an absent argument, which needs no tokens of the model. */
function withoutNull(type: JSONValue): JSONValue {
  if (!Array.isArray(type)) return type;
  const others = type.filter((each) => each !== "null");
  return others.length === 1 ? (others[0] ?? type) : others;
}

/** The first sentence of a description, which says what an argument is. The API's errors state the other rules. */
const firstSentence = (text: string): string => /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;

/**
 * Merges the object schemas of an `allOf`. If they stayed separate, each of them that forbids further properties would
 * reject the properties of the others.
 */
function mergeObjects(parts: Schema[]): Schema {
  const merged = Object.assign({}, ...parts) as Schema;
  if (parts.every(({ properties }) => properties === undefined)) return merged;
  return {
    ...merged,
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)) as Schema,
    required: parts.flatMap(({ required = [] }) => required),
  };
}

const isEmptyObject = (value: JSONValue): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
