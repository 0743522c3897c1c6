/** A vector of 256 numbers: the given ones, then zeros. */
export function vector(...first: number[]): number[] {
  return Array.from({ length: 256 }, (_, i) => first[i] ?? 0);
}

/** A namespace that no other test uses. */
export function newNamespace(): string {
  return `org_${crypto.randomUUID()}`;
}

/** An id that no other test uses. */
export function newId(): string {
  return `chk_${crypto.randomUUID()}`;
}

/**
 * The outcome of a call as a plain promise.
 *
 * An RPC promise also has properties for the fields of its result. `expect` reads some of them, and each is a
 * promise of its own that nothing catches.
 */
export async function outcome<T>(call: Promise<T>): Promise<T> {
  return await call;
}
