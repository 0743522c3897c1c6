/**
 * An error whose message contains nothing from the endpoint's response, because that may repeat the request.
 */
export class EndpointFailure extends Error {}

/**
 * Describes an error of a request by Node's error code. Messages of `fetch` or TLS are left out, because they
 * may contain text from the endpoint.
 */
export function describeFailure(error: unknown): string {
  if (error instanceof EndpointFailure) return error.message;
  const { code, address, port } = rootOf(error) as { code?: unknown; address?: unknown; port?: unknown };
  if (typeof code !== "string" || !/^[A-Z][A-Z0-9_]+$/.test(code)) return "no connection";
  return typeof address === "string" && typeof port === "number" ? `${code} ${address}:${port}` : code;
}

/** The message of a failed `fetch` is only "fetch failed"; the reason is in `cause`. */
function rootOf(error: unknown): object {
  if (!(error instanceof Error)) return {};
  const { cause } = error;
  // Connecting failed by IPv4 and by IPv6, and this error contains both errors.
  if (cause instanceof AggregateError) return rootOf(cause.errors[0]);
  return cause instanceof Error ? rootOf(cause) : error;
}
