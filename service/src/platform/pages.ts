import type { ServiceLimits } from "../limits.ts";
import { countJsonValues } from "../text/exact-json.ts";
import { jsonBytes } from "../text/json-bytes.ts";

export type PageLimits = Pick<ServiceLimits, "pageBytes" | "pageValues">;

/** Lower bound on the JSON of an item without its texts: field names, times and ids. */
export const ITEM_BYTES = 256;

/**
 * Converts rows to items, in order, until the page is full. Returns at least one item if there is a row.
 *
 * The values in the JSON texts are counted before parsing, so a row over the limit takes no memory as values.
 * An item is measured as JSON, where a control character takes six bytes.
 *
 * @param textsOf the JSON texts of a row, each null when absent.
 * @param bytesOf the size of an item in the response.
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
