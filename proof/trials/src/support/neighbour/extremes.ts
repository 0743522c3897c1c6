/** The used part of a JSON Schema. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  format?: string;
  pattern?: string;
  maxLength?: number;
  maximum?: number;
  minimum?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  additionalProperties?: Schema | boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
}

/** `many`: as many small items as a list allows. `large`: few items of the maximum size. */
export type Shape = "many" | "large";

/** Fixed values by name; undefined omits an optional field. */
export type Fixed = Readonly<Record<string, unknown>>;

/** Items of a list in the shape `large`. */
const FEW = 2;
/** Items of a list without a stated maximum. */
const ITEMS_MAX = 100;
/** Keys of a filter, where the contract only says that its values are not objects. */
const FILTER_KEYS = 16;
const KEY_CHARACTERS = 24;
const TEXT_CHARACTERS = 64;
/** Limits that the contract states only in words, for free objects. */
const FREE_BYTES_MAX: Readonly<Record<string, number>> = {
  // Of a message.
  ...{ metadata: 16_000, parts: 490_000 },
  // Of a presence and a broadcast.
  ...{ state: 1_000, value: 4_000 },
};
const URL_START = "https://hooks.example.com/";
/** Pattern of the address of a webhook. The operator may allow `http:`. */
const ADDRESS_PATTERN = String.raw`^https?:\/\/`;
/** Overhead of a field: its name, quotes and commas. */
const FIELD_BYTES = 30;

/**
 * A value at the limits of its schema, with approximately this number of bytes as JSON.
 *
 * @throws {Error} For an unsupported kind of schema.
 */
export function atLimits(
  schema: Schema,
  components: Record<string, Schema>,
  input: { name: string; shape: Shape; bytes: number; fixed: Fixed },
): unknown {
  const { name, shape, bytes, fixed } = input;
  if (name in fixed) return fixed[name];
  const one = resolve(schema, components);
  const options = [one.anyOf, one.oneOf].flatMap((some) => some ?? []).filter(({ type }) => type !== "null");
  const [option] = options;
  if (option !== undefined) return atLimits(option, components, input);
  if (one.const !== undefined) return one.const;
  if (one.enum !== undefined) return one.enum.at(-1);
  const type = [one.type ?? []].flat().find((each) => each !== "null");
  if (type === "boolean") return true;
  if (type === "integer" || type === "number") return one.maximum ?? one.minimum ?? 1;
  if (type === "string") return textOf(one, name, bytes);
  if (type === "array") {
    const items = one.items ?? {};
    if (Object.keys(items).length === 0) return [{ type: "text", text: words(freeBytes(name, bytes)) }];
    const choices = resolve(items, components).enum;
    if (choices !== undefined) return choices.slice(0, one.maxItems);
    const most = one.maxItems ?? ITEMS_MAX;
    const count = Math.max(one.minItems ?? 0, shape === "many" ? most : Math.min(FEW, most));
    // A body limits its values in total, so only one of its lists can have the maximum number of items.
    const inner = { name, shape: "large", bytes: bytes / count, fixed } as const;
    return Array.from({ length: count }, (_, i) => distinct(atLimits(items, components, inner), i));
  }
  if (type === "object" || one.properties !== undefined) return objectOf(one, components, input);
  throw new Error(`No value of ${name}: ${JSON.stringify(one).slice(0, 200)}`);
}

function objectOf(
  { properties, required = [], additionalProperties, maxProperties }: Schema,
  components: Record<string, Schema>,
  { name, shape, bytes, fixed }: Parameters<typeof atLimits>[2],
): Record<string, unknown> {
  if (properties === undefined) {
    const isFilter = typeof additionalProperties === "object" && additionalProperties.type !== undefined;
    const room = freeBytes(name, bytes);
    const most = isFilter ? (maxProperties ?? FILTER_KEYS) : Math.floor(room / (2 * KEY_CHARACTERS));
    const count = Math.max(1, shape === "many" || isFilter ? most : 1);
    const value = words(isFilter ? KEY_CHARACTERS : Math.max(1, room / count - KEY_CHARACTERS));
    return Object.fromEntries(Array.from({ length: count }, (_, i) => [`key_${i}`, value]));
  }
  const entries: [string, unknown][] = [];
  // The small ones first, so that the largest get the remaining bytes.
  const inner = Object.entries(properties)
    .map(([key, each]) => ({ key, each, capacity: capacityOf(key, each, components) }))
    .sort((a, b) => a.capacity - b.capacity);
  let left = bytes;
  for (const [i, { key, each, capacity }] of inner.entries()) {
    const room = Math.max(0, Math.min(capacity, left / (inner.length - i)) - FIELD_BYTES);
    const { [key]: _, ...others } = fixed;
    const applied = required.includes(key) && fixed[key] === undefined ? others : fixed;
    const value = atLimits(each, components, { name: key, shape, bytes: room, fixed: applied });
    if (value === undefined) continue;
    entries.push([key, value]);
    left -= JSON.stringify(value).length + FIELD_BYTES;
  }
  return Object.fromEntries(entries);
}

function capacityOf(name: string, schema: Schema, components: Record<string, Schema>): number {
  const one = resolve(schema, components);
  if (name in FREE_BYTES_MAX) return FREE_BYTES_MAX[name] ?? 0;
  return one.type === "array" || one.type === "object" || one.properties !== undefined
    ? Number.POSITIVE_INFINITY
    : (one.maxLength ?? TEXT_CHARACTERS) + FIELD_BYTES;
}

function textOf(
  { maxLength = TEXT_CHARACTERS, format, pattern }: Schema,
  name: string,
  bytes: number,
): string {
  if (pattern === ADDRESS_PATTERN) {
    return `${URL_START}${words(Math.min(maxLength, bytes) - URL_START.length).replaceAll(" ", "/")}`;
  }
  if (format === "date-time") {
    // The widest range of time.
    if (name.endsWith("_before") || name.startsWith("expires")) return "2099-12-31T23:59:59.999Z";
    return "2020-01-01T00:00:00.000Z";
  }
  if (format === "date") return name === "to" ? "2026-12-31" : "2026-01-01";
  return words(Math.max(1, Math.min(maxLength, bytes)));
}

const freeBytes = (name: string, bytes: number): number => Math.min(FREE_BYTES_MAX[name] ?? bytes, bytes);

/** Makes items that must be unique differ at their beginning. */
function distinct(item: unknown, i: number): unknown {
  return typeof item === "string" ? `${i}${item}`.slice(0, Math.max(item.length, `${i}`.length)) : item;
}

let state = 1;

/** Text of this length made of new words, each of which is new to the keyword index. */
export function words(characters: number): string {
  let text = "";
  while (text.length < characters) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    text += `${state.toString(36)} `;
  }
  return text.slice(0, Math.floor(characters)).replace(/ $/, "x");
}

function resolve(schema: Schema, components: Record<string, Schema>): Schema {
  const { allOf, ...own } = schema;
  // Each part of `allOf` describes the same value.
  if (allOf !== undefined) return Object.assign(own, ...allOf.map((part) => resolve(part, components)));
  if (schema.$ref === undefined) return schema;
  const { $ref, ...beside } = schema;
  const found = components[$ref.replace("#/components/schemas/", "")];
  if (found === undefined) throw new Error(`No schema ${$ref}`);
  return { ...resolve(found, components), ...beside };
}
