/** A failure in our own words. It contains no text of the endpoint, which may repeat the request. */
export class EndpointFailure extends Error {}

/**
 * Why a call failed, in our own words and Node's error codes. Messages of fetch or TLS may contain text of
 * the other side.
 */
export function describeFailure(error: unknown): string {
  if (error instanceof EndpointFailure) return error.message;
  const { code, address, port } = rootOf(error) as { code?: unknown; address?: unknown; port?: unknown };
  if (typeof code !== "string" || !/^[A-Z][A-Z0-9_]+$/.test(code)) return "no connection";
  return typeof address === "string" && typeof port === "number" ? `${code} ${address}:${port}` : code;
}

/** The network error in the cause; fetch itself only says that it failed. */
function rootOf(error: unknown): object {
  if (!(error instanceof Error)) return {};
  const { cause } = error;
  // Connection attempts over IPv4 and IPv6 failed together.
  if (cause instanceof AggregateError) return rootOf(cause.errors[0]);
  return cause instanceof Error ? rootOf(cause) : error;
}
