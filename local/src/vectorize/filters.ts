import { type IndexedValue, type IndexedValues, indexedString, METADATA_INDEXES } from "./indexed-values.ts";

export type Predicate = (values: IndexedValues) => boolean;

export class FilterError extends Error {
  override name = "FilterError";
}

/** Size limit of a filter as compact JSON. */
const FILTER_BYTES_MAX = 2_048;
const FILTER_KEY_LENGTH_MAX = 512;

const encoder = new TextEncoder();

/**
 * Returns a function that tests whether a vector matches the filter. Every field must match, and for each
 * field every operator.
 *
 * Only values in metadata indexes are compared, so a filter on a field without an index matches nothing, and
 * a vector without the field never matches.
 *
 * @throws {FilterError} If the filter is empty, too long or invalid, or has an operator that the service does
 * not use: it knows `$in`, `$nin`, and `$gte` and `$lte` for numbers.
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
    throw new FilterError("a filter field takes a string, number, boolean or operators");
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
    const isListed: ValueTest = (value) => tests.some((passes) => passes(value));
    return operator === "$in" ? isListed : (value) => value !== undefined && !isListed(value);
  }
  if (operator !== "$gte" && operator !== "$lte")
    throw new FilterError(`unknown filter operator ${operator}`);
  if (typeof operand !== "number" || !Number.isFinite(operand))
    throw new FilterError(`${operator} takes a number`);
  return (value) => typeof value === "number" && (operator === "$gte" ? value >= operand : value <= operand);
}

function equals(operand: IndexedValue): ValueTest {
  const wanted = typeof operand === "string" ? indexedString(operand) : operand;
  return (value) => value === wanted;
}

function isOperand(value: unknown): value is IndexedValue {
  return (
    typeof value === "string" ||
    typeof value === "boolean" ||
    (typeof value === "number" && Number.isFinite(value))
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
