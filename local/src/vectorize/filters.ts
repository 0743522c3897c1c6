import { type IndexedValue, type IndexedValues, indexedString, METADATA_INDEXES } from "./indexed-values.ts";

export type Predicate = (values: IndexedValues) => boolean;

export class FilterError extends Error {
  override name = "FilterError";
}

type Operand = IndexedValue | null;

/** Size limit of a filter as compact JSON. */
const FILTER_BYTES_MAX = 2_048;
const FILTER_KEY_LENGTH_MAX = 512;

const encoder = new TextEncoder();

const RANGES: Readonly<Record<string, (order: number) => boolean>> = {
  $lt: (order) => order < 0,
  $lte: (order) => order <= 0,
  $gt: (order) => order > 0,
  $gte: (order) => order >= 0,
};

/**
 * Returns a function that tests whether a vector matches the filter. Every field must match, and for each
 * field every operator.
 *
 * Only values in metadata indexes are compared, so a filter on a field without an index matches nothing. A
 * vector that does not have the field matches only the value `null`. It never matches `$ne` and `$nin`.
 *
 * @throws {FilterError} If the filter is empty, too long or invalid.
 */
export function compileFilter(filter: unknown): Predicate {
  if (!isRecord(filter) || Object.keys(filter).length === 0)
    throw new FilterError("filter must not be empty");
  if (encoder.encode(JSON.stringify(filter)).length >= FILTER_BYTES_MAX) {
    throw new FilterError(`filter must be less than ${FILTER_BYTES_MAX} bytes of compact JSON`);
  }
  const fields = Object.entries(filter).map(([path, condition]) => {
    checkKey(path);
    const passes = compileCondition(condition);
    const isIndexed = Object.hasOwn(METADATA_INDEXES, path);
    return (values: IndexedValues) => isIndexed && passes(values[path]);
  });
  return (values) => fields.every((passes) => passes(values));
}

type ValueTest = (value: IndexedValue | undefined) => boolean;

function checkKey(path: string): void {
  if (path.length > FILTER_KEY_LENGTH_MAX) throw new FilterError("filter key is too long");
  const isWellFormed = path
    .split(".")
    .every((key) => key !== "" && !key.startsWith("$") && !key.includes('"'));
  if (!isWellFormed) throw new FilterError(`invalid filter key ${JSON.stringify(path)}`);
}

function compileCondition(condition: unknown): ValueTest {
  if (isOperand(condition)) return equals(condition);
  if (!isRecord(condition) || Object.keys(condition).length === 0) {
    throw new FilterError("a filter field takes a string, number, boolean, null or operators");
  }
  const tests = Object.entries(condition).map(([operator, operand]) => compileOperator(operator, operand));
  return (value) => tests.every((passes) => passes(value));
}

function compileOperator(operator: string, operand: unknown): ValueTest {
  if (operator === "$in" || operator === "$nin") {
    if (!Array.isArray(operand) || !operand.every(isOperand)) {
      throw new FilterError(`${operator} takes an array of strings, numbers or booleans`);
    }
    const tests = operand.map(equals);
    const isIn: ValueTest = (value) => tests.some((passes) => passes(value));
    return operator === "$in" ? isIn : (value) => value !== undefined && !isIn(value);
  }
  if (!isOperand(operand)) throw new FilterError(`${operator} takes a string, number, boolean or null`);
  if (operator === "$eq") return equals(operand);
  if (operator === "$ne") return (value) => value !== undefined && !equals(operand)(value);
  const holds = RANGES[operator];
  if (holds === undefined) throw new FilterError(`unknown filter operator ${operator}`);
  const bound = typeof operand === "string" ? indexedString(operand) : operand;
  return (value) => {
    const order = compare(value, bound);
    return order !== undefined && holds(order);
  };
}

function equals(operand: Operand): ValueTest {
  if (operand === null) return (value) => value === undefined;
  const wanted = typeof operand === "string" ? indexedString(operand) : operand;
  return (value) => value === wanted;
}

function compare(value: IndexedValue | undefined, bound: Operand): number | undefined {
  if (typeof value === "number" && typeof bound === "number") return value - bound;
  if (typeof value === "string" && typeof bound === "string") return compareBytes(value, bound);
  return undefined;
}

/**
 * Compares two strings by their UTF-8 bytes. JavaScript's `<` compares UTF-16 code units, which gives another
 * order above U+FFFF.
 */
function compareBytes(left: string, right: string): number {
  const a = encoder.encode(left);
  const b = encoder.encode(right);
  for (let i = 0; i < a.length && i < b.length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

function isOperand(value: unknown): value is Operand {
  return (
    value === null ||
    typeof value === "string" ||
    typeof value === "boolean" ||
    (typeof value === "number" && Number.isFinite(value))
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
