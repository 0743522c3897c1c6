export const TIMEOUT_MS = 20_000;

export class AnswerTimeout extends Error {
  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`);
  }
}

/**
 * Rejects with `AnswerTimeout` if the promise does not settle in time. A call that gets no response must not block a
 * search or indexing forever.
 */
export async function withTimeout<T>(promise: Promise<T>, timeoutMs = TIMEOUT_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AnswerTimeout(timeoutMs)), timeoutMs);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    if (timer !== undefined) clearTimeout(timer);
  }
}

/** A list of the first items of all lists, a list of their second items, and so on. */
export function rounds<T>(lists: T[][]): T[][] {
  const length = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1)));
}

export function slices<T>(items: readonly T[], length: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / length) }, (_, i) =>
    items.slice(i * length, (i + 1) * length),
  );
}
