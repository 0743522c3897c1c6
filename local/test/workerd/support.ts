/** A vector of the index under test, 256 numbers, the first ones as given and the others 0. */
export function vector(...first: number[]): number[] {
  return Array.from({ length: 256 }, (_, i) => first[i] ?? 0);
}

/** A namespace that no other test has. */
export function newNamespace(): string {
  return `org_${crypto.randomUUID()}`;
}

/** An id that no other test has. */
export function newId(): string {
  return `chk_${crypto.randomUUID()}`;
}

/**
 * A call's outcome as a plain promise.
 *
 * An RPC promise stands for its result's fields, too: `expect` looks at some, and each is then a
 * promise of its own that is never caught.
 */
export async function outcome<T>(call: Promise<T>): Promise<T> {
  return await call;
}
