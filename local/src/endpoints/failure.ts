/** A failure in our own words: none of an endpoint's text is in it, since that may repeat what was sent. */
export class EndpointFailure extends Error {}

/** Why a call failed, in our own words and with the codes of Node; what fetch or TLS says may hold text of the other side. */
export function describeFailure(error: unknown): string {
  if (error instanceof EndpointFailure) return error.message;
  const { code, address, port } = rootOf(error) as { code?: unknown; address?: unknown; port?: unknown };
  if (typeof code !== "string" || !/^[A-Z][A-Z0-9_]+$/.test(code)) return "no connection";
  return typeof address === "string" && typeof port === "number" ? `${code} ${address}:${port}` : code;
}

/** What went wrong below HTTP; fetch itself only says that it failed. */
function rootOf(error: unknown): object {
  if (!(error instanceof Error)) return {};
  const { cause } = error;
  // An address for IPv4 and one for IPv6 fail together.
  if (cause instanceof AggregateError) return rootOf(cause.errors[0]);
  return cause instanceof Error ? rootOf(cause) : error;
}
