/** An append of one message, as its writer saw it. */
export interface Sent {
  writer: number;
  content: string;
  /** As in the response. */
  id: string;
  sequence: number;
}

export interface Stored {
  id: string;
  sequence: number;
  content: string;
}

/**
 * Differences between a conversation and its writers' responses; empty when there are none.
 *
 * @param sent For each writer, in the order of sending.
 * @param stored In the order of the list.
 */
export function whatDiffers(sent: readonly Sent[], stored: readonly Stored[]): string[] {
  const differences: string[] = [];
  stored.forEach(({ sequence }, i) => {
    if (sequence !== i + 1) differences.push(`Place ${i + 1} has sequence ${sequence}.`);
  });
  const byId = new Map(stored.map((message) => [message.id, message]));
  const newest = new Map<number, number>();
  for (const { id, sequence, content, writer } of sent) {
    const found = byId.get(id);
    byId.delete(id);
    if (found === undefined) differences.push(`${id} of writer ${writer} is lost, or was answered twice.`);
    else if (found.content !== content) differences.push(`${id} came back altered.`);
    else if (found.sequence !== sequence)
      differences.push(`${id} was answered ${sequence} and stands at ${found.sequence}.`);
    if (sequence <= (newest.get(writer) ?? 0))
      differences.push(`Writer ${writer} was overtaken by itself at ${sequence}.`);
    newest.set(writer, sequence);
  }
  for (const id of byId.keys()) differences.push(`${id} is stored, and was not acknowledged.`);
  return differences;
}
