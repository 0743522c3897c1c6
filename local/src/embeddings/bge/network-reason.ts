/** The network error in the cause; fetch itself only says that it failed. */
export function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  // Connection attempts over IPv4 and IPv6 failed together.
  if (cause instanceof AggregateError && cause.message === "") return networkReason(cause.errors[0]);
  return cause instanceof Error ? networkReason(cause) : error.message;
}
