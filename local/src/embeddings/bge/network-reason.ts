/** The message of a failed `fetch` is only "fetch failed"; the reason is in `cause`. */
export function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  // Connecting failed by IPv4 and by IPv6, and this error contains both errors.
  if (cause instanceof AggregateError && cause.message === "") return networkReason(cause.errors[0]);
  return cause instanceof Error ? networkReason(cause) : error.message;
}
