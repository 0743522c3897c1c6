import * as filters from "../../../service/src/platform/vector-scan/filters.ts";
import { indexedString, METADATA_INDEXES } from "./indexed-values.ts";

/** Size limit of a filter as compact JSON. */
const FILTER_BYTES_MAX = 2_048;
const FILTER_KEY_LENGTH_MAX = 512;

const encoder = new TextEncoder();

/**
 * Returns a function that tests whether a vector matches the filter, as Vectorize does.
 *
 * Only values in metadata indexes are compared, so a filter on a field without an index matches nothing.
 *
 * @throws {FilterError} If the filter is empty, too long or invalid, or has an operator that the service does
 * not use.
 */
export function compileFilter(filter: unknown): filters.Predicate {
  if (!filters.isRecord(filter) || Object.keys(filter).length === 0)
    throw new filters.FilterError("filter must not be empty");
  if (encoder.encode(JSON.stringify(filter)).length >= FILTER_BYTES_MAX) {
    throw new filters.FilterError(`filter must be less than ${FILTER_BYTES_MAX} bytes of compact JSON`);
  }
  for (const path of Object.keys(filter)) checkKey(path);
  const passes = filters.compileFilter(filter, indexedString);
  const isIndexed = Object.keys(filter).every((path) => Object.hasOwn(METADATA_INDEXES, path));
  return isIndexed ? passes : () => false;
}

function checkKey(path: string): void {
  if (path.length > FILTER_KEY_LENGTH_MAX) throw new filters.FilterError("filter key is too long");
  const isWellFormed = path
    .split(".")
    .every((key) => key !== "" && !key.startsWith("$") && !key.includes('"'));
  if (!isWellFormed) throw new filters.FilterError(`invalid filter key ${JSON.stringify(path)}`);
}
