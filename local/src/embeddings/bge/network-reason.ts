/** What went wrong below HTTP; fetch itself only says that it failed. */
export function networkReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  // An address for IPv4 and one for IPv6 fail together.
  if (cause instanceof AggregateError && cause.message === "") return networkReason(cause.errors[0]);
  return cause instanceof Error ? networkReason(cause) : error.message;
}
