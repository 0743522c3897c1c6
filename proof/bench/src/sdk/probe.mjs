// Runs where a client library is installed. Calls a loopback server that fails in several ways, and prints
// the results as JSON. `call.mjs` in the same folder exports `create(baseUrl, signal)` and
// `call(client, signal)`.
import { createServer } from "node:http";
import { call, create } from "./call.mjs";

const REQUEST_ID = "req_probe_4711";
const LIMIT_MS = 25_000;
const ABORT_AFTER_MS = 200;

const json =
  (status, body, headers = {}) =>
  (response) =>
    response
      .writeHead(status, {
        "content-type": "application/json",
        "x-request-id": REQUEST_ID,
        "request-id": REQUEST_ID,
        ...headers,
      })
      .end(JSON.stringify(body));
const refusal = (status, code) => ({
  type: `https://example.com/${code}`,
  title: code,
  status,
  code,
  detail: "probed",
  message: "probed",
  request_id: REQUEST_ID,
  error: { type: code, code, message: "probed" },
});
const ok = json(200, {
  id: "1",
  object: "customer",
  result: "Success",
  choices: [],
  content: [],
  results: [],
});
const reset = (response) => response.socket.resetAndDestroy();
const silence = () => {};

const SCENARIOS = {
  500: [json(500, refusal(500, "internal"))],
  429: [json(429, refusal(429, "rate_limited"), { "retry-after": "1" }), ok],
  "lost answer": [reset],
  400: [json(400, refusal(400, "invalid_request"))],
  abort: [silence],
};

const outcomes = {};
for (const [name, behaviours] of Object.entries(SCENARIOS)) outcomes[name] = await play(name, behaviours);
process.stdout.write(JSON.stringify(outcomes));
process.exit(0);

async function play(name, behaviours) {
  const attempts = [];
  const server = createServer((request, response) => {
    // mem0's client first sends a GET, which is not the measured call.
    if (request.method === "GET") return ok(response);
    attempts.push({ atMs: performance.now(), key: request.headers["idempotency-key"] ?? null });
    request.resume().on("end", () => (behaviours[attempts.length - 1] ?? behaviours.at(-1))(response));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const ending = new AbortController();
  const reason = new Error("enough");
  let abortedAt;
  const timers = [setTimeout(() => {}, LIMIT_MS)];
  if (name === "abort") {
    timers.push(
      setTimeout(() => {
        abortedAt = performance.now();
        ending.abort(reason);
      }, ABORT_AFTER_MS),
    );
  }
  const startedAt = performance.now();
  const limit = new Promise((resolve) =>
    timers.push(setTimeout(() => resolve({ end: "no result" }), name === "abort" ? 3_000 : LIMIT_MS)),
  );
  const outcome = await Promise.race([
    (async () => {
      const client = await create(`http://127.0.0.1:${server.address().port}`, ending.signal);
      return call(client, ending.signal);
    })().then(
      (value) => ({ end: value?.error ? "error returned" : "answer", told: describe(value?.error) }),
      (error) => ({
        end: "thrown",
        told: describe(error),
        isReason: error === reason || error?.cause === reason,
      }),
    ),
    limit,
  ]);
  const endedAt = performance.now();
  for (const timer of timers) clearTimeout(timer);
  server.closeAllConnections();
  server.close();
  const keys = new Set(attempts.map(({ key }) => key));
  return {
    ...outcome,
    attempts: attempts.length,
    ms: Math.round(endedAt - (abortedAt ?? startedAt)),
    key: keys.size === 1 && !keys.has(null) ? "same" : keys.has(null) ? "none" : "differing",
  };
}

/** The fields of an error that a program can read. */
function describe(error) {
  if (error === null || typeof error !== "object") return undefined;
  const fields = ["status", "statusCode", "code", "type", "requestId", "requestID", "request_id"];
  const held = fields.filter((field) => error[field] !== undefined && error[field] !== null);
  const requestId = held.some((field) => error[field] === REQUEST_ID);
  return {
    name: error.constructor?.name === "Object" ? "object" : (error.constructor?.name ?? "object"),
    held,
    requestId,
  };
}
