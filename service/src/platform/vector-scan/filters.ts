export type IndexedValue = string | number | boolean;

/** Values of a vector's metadata by the path of their field, such as `a.b`. */
export type IndexedValues = Readonly<Record<string, IndexedValue>>;

export type Predicate = (values: IndexedValues) => boolean;

export class FilterError extends Error {
  override name = "FilterError";
}

/**
 * Returns a function that tests whether a vector matches the filter. Every field must match, and for each field every
 * operator. A vector without the field never matches.
 *
 * @param toIndexed the part of a text in the filter that is compared.
 * @throws {FilterError} If the filter is invalid, or has an operator that the service does not use: it knows `$in`,
 * `$nin`, and `$gte` and `$lte` for numbers.
 */
export function compileFilter(
  filter: Readonly<Record<string, unknown>>,
  toIndexed: (text: string) => string = (text) => text,
): Predicate {
  const fields = Object.entries(filter).map(
    ([path, condition]) => [path, compileCondition(condition, toIndexed)] as const,
  );
  return (values) => {
    for (const [path, passes] of fields) if (!passes(values[path])) return false;
    return true;
  };
}

type ValueTest = (value: IndexedValue | undefined) => boolean;
type ToIndexed = (text: string) => string;

function compileCondition(condition: unknown, toIndexed: ToIndexed): ValueTest {
  if (isOperand(condition)) return equals(condition, toIndexed);
  if (!isRecord(condition) || Object.keys(condition).length === 0) {
    throw new FilterError("a filter field takes a string, number, boolean or operators");
  }
  const tests = Object.entries(condition).map(([operator, operand]) =>
    compileOperator(operator, operand, toIndexed),
  );
  return (value) => tests.every((passes) => passes(value));
}

function compileOperator(operator: string, operand: unknown, toIndexed: ToIndexed): ValueTest {
  if (operator === "$in" || operator === "$nin") {
    if (!Array.isArray(operand) || !operand.every(isOperand)) {
      throw new FilterError(`${operator} takes an array of strings, numbers or booleans`);
    }
    const tests = operand.map((one) => equals(one, toIndexed));
    const isListed: ValueTest = (value) => tests.some((passes) => passes(value));
    return operator === "$in" ? isListed : (value) => value !== undefined && !isListed(value);
  }
  if (operator !== "$gte" && operator !== "$lte")
    throw new FilterError(`unknown filter operator ${operator}`);
  if (typeof operand !== "number" || !Number.isFinite(operand))
    throw new FilterError(`${operator} takes a number`);
  return (value) => typeof value === "number" && (operator === "$gte" ? value >= operand : value <= operand);
}

function equals(operand: IndexedValue, toIndexed: ToIndexed): ValueTest {
  const wanted = typeof operand === "string" ? toIndexed(operand) : operand;
  return (value) => value === wanted;
}

function isOperand(value: unknown): value is IndexedValue {
  return (
    typeof value === "string" ||
    typeof value === "boolean" ||
    (typeof value === "number" && Number.isFinite(value))
  );
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
