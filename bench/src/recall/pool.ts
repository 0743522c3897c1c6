/**
 * Call `work` for every item, at most `width` at a time.
 *
 * @returns The results, in the order of the items.
 * @throws The first failure; nothing new is started after it.
 */
export async function mapPooled<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = [...items.entries()];
  const lane = async () => {
    for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
      const [index, item] = entry;
      try {
        results[index] = await work(item);
      } catch (error) {
        waiting.length = 0;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  return results;
}
