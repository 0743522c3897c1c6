/**
 * A service that responds correctly to a smoke test, for tests of the steps before it.
 *
 * The smoke test itself is tested against the real service.
 */
export const workingService: typeof fetch = async (input, init) => {
  const { method, url } = new Request(input, init);
  const [status, body] = ANSWERS[`${method} ${new URL(url).pathname}`] ?? [404, {}];
  return typeof body === "string" ? new Response(body, { status }) : Response.json(body, { status });
};

const ANSWERS: Record<string, [status: number, body: unknown]> = {
  "GET /health": [200, { status: "ok" }],
  "GET /ready": [200, { status: "ready" }],
  "GET /openapi.json": [200, { openapi: "3.1.0" }],
  "GET /docs": [200, "<!doctype html><html></html>"],
  "POST /v1/organizations": [201, { organization: { id: "org_1" }, key: { secret: "engram_sk_live_1" } }],
  "POST /v1/conversations": [201, { id: "conv_1" }],
  "POST /v1/conversations/conv_1/messages": [201, { indexed: true }],
  "POST /v1/search": [200, { results: [{ conversation_id: "conv_1" }] }],
  "DELETE /v1/organizations/org_1": [202, { id: "op_1" }],
};
