import type { ServiceLimits } from "../limits.ts";
import { countJsonValues } from "../text/exact-json.ts";
import { jsonBytes } from "../text/json-bytes.ts";

/** What one page of a list may hold. */
export type PageLimits = Pick<ServiceLimits, "pageBytes" | "pageValues">;

/** JSON of an item without its texts: names of fields, times, ids. Less than any item has. */
export const ITEM_BYTES = 256;

/**
 * Read rows as items, in order, as long as a page may hold them; at least one.
 *
 * JSON texts are counted before they are parsed: what does not fit takes no memory as values. An item is measured as
 * JSON, where a control character takes six bytes.
 *
 * @param textsOf the JSON texts of a row, each null when it has none.
 * @param bytesOf the bytes of an item in the answer.
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
