/** `fetch` itself says only "fetch failed"; the reason is in `cause`. */
export function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  // Connecting by IPv4 and by IPv6 failed. The error contains both errors.
  if (cause instanceof AggregateError && cause.message === "") return networkReason(cause.errors[0]);
  return cause instanceof Error ? networkReason(cause) : error.message;
}
