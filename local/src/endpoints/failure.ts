/** The message contains no text of the endpoint, which may repeat the request. */
export class EndpointFailure extends Error {}

/** Names Node's error code. Messages of `fetch` or TLS may contain text of the endpoint. */
export function describeFailure(error: unknown): string {
  if (error instanceof EndpointFailure) return error.message;
  const { code, address, port } = rootOf(error) as { code?: unknown; address?: unknown; port?: unknown };
  if (typeof code !== "string" || !/^[A-Z][A-Z0-9_]+$/.test(code)) return "no connection";
  return typeof address === "string" && typeof port === "number" ? `${code} ${address}:${port}` : code;
}

/** `fetch` itself says only "fetch failed"; the reason is in `cause`. */
function rootOf(error: unknown): object {
  if (!(error instanceof Error)) return {};
  const { cause } = error;
  // Connecting by IPv4 and by IPv6 failed.
  if (cause instanceof AggregateError) return rootOf(cause.errors[0]);
  return cause instanceof Error ? rootOf(cause) : error;
}
