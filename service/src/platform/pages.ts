import type { ServiceLimits } from "../limits.ts";
import { countJsonValues } from "../text/exact-json.ts";
import { jsonBytes } from "../text/json-bytes.ts";

export type PageLimits = Pick<ServiceLimits, "pageBytes" | "pageValues">;

/** Minimum size of an item as JSON, without its texts: field names, times and ids. */
export const ITEM_BYTES = 256;

/**
 * Converts rows to items until a limit of the page is reached. Returns at least one item if there is a row. Counts the
 * fields and items in a row's JSON texts before parsing them, so that a row beyond the limit is not parsed.
 *
 * @param bytesOf the size of an item as JSON, in which a control character has six bytes.
 */
export async function readPage<Row, Item>(
  rows: Row[],
  limits: PageLimits,
  textsOf: (row: Row) => (string | null)[],
  toItem: (row: Row) => Item | Promise<Item>,
  bytesOf: (item: Item) => number = jsonBytes,
): Promise<Item[]> {
  const items: Item[] = [];
  let bytes = 0;
  let values = 0;
  for (const row of rows) {
    for (const text of textsOf(row)) values += text === null ? 0 : countJsonValues(text);
    if (values > limits.pageValues && items.length > 0) break;
    const item = await toItem(row);
    bytes += bytesOf(item) + 1;
    if (bytes > limits.pageBytes && items.length > 0) break;
    items.push(item);
  }
  return items;
}
