/** A JSON Schema of the contract, with the parts that the reference shows. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  oneOf?: Schema[];
  anyOf?: Schema[];
  allOf?: Schema[];
  format?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  example?: unknown;
  examples?: unknown[];
}

/** A field of an object; `context.before` and `matches[].score` stand under their parents. */
export interface Field {
  name: string;
  isRequired: boolean;
  schema: Schema;
}

/** The name of the component that a reference points to. */
export const nameOf = (reference: string) => reference.replace(/^.*\//, "");

/** The fields of an object, those of unnamed objects inside it, too, in the contract's order. */
export function fieldsOf(schema: Schema, prefix = ""): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    const name = `${prefix}${key}`;
    const field = { name, isRequired: schema.required?.includes(key) ?? false, schema: property };
    const inner =
      property.items === undefined ? fieldsOf(property, `${name}.`) : fieldsOf(property.items, `${name}[].`);
    return [field, ...inner];
  });
}

/** What a value may be, as Markdown for a cell of a table: `string`, `1–256 characters`, a link to a type. */
export function typeText(schema: Schema): string {
  const bounds = [range(schema.minLength, schema.maxLength, "characters")]
    .concat(range(schema.minItems, schema.maxItems, "items"), range(schema.minimum, schema.maximum))
    .concat(schema.default === undefined ? "" : `default \`${cell(JSON.stringify(schema.default))}\``)
    .filter((text) => text !== "");
  return [kindText(schema), ...bounds].join(", ");
}

/** Text of the contract for a cell of a table. */
export const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");

function kindText(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    return `[${name}](/api/types.md#${name.toLowerCase()})`;
  }
  if (schema.const !== undefined) return code(schema.const);
  if (schema.enum !== undefined) return schema.enum.map(code).join(" · ");
  const choices = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (choices !== undefined) return choices.map(kindText).join(" or ");
  const types = [schema.type ?? "any value"].flat();
  return types
    .map((type) => {
      if (type === "array" && schema.items?.type !== undefined) return `array of ${kindText(schema.items)}`;
      if (type === "array" && schema.items?.$ref !== undefined) return `array of ${kindText(schema.items)}`;
      return type === "string" && schema.format === "date-time" ? "time" : type;
    })
    .join(" or ");
}

function range(least: number | undefined, most: number | undefined, unit = ""): string {
  const number = (value: number) => value.toLocaleString("en-US");
  const text =
    most === undefined || most >= Number.MAX_SAFE_INTEGER
      ? least === undefined || least <= 0
        ? ""
        : `at least ${number(least)}`
      : least === undefined
        ? `at most ${number(most)}`
        : `${number(least)}–${number(most)}`;
  return text === "" ? "" : `${text} ${unit}`.trim();
}

const code = (value: unknown) => `\`${cell(String(value))}\``;
