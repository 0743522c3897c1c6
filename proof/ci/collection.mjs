// Sends each request of the site's Postman collection, as it stands, to the running service.
//   node collection.mjs COLLECTION OPENAPI URL KEY ADMIN_TOKEN   (in an empty folder, into which Postman's runner is installed)
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [file, openapi, url, key, adminToken] = process.argv.slice(2);
const METHODS = ["get", "post", "put", "patch", "delete"];
/** What a request with made-up ids may be answered with. */
const FINE = [200, 201, 202, 404];

writeFileSync("package.json", '{"private":true}\n');
execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "newman@6.2.2"], {
  stdio: ["ignore", "ignore", "pipe"],
});
const require = createRequire(join(process.cwd(), "index.js"));

// A stream of events would last for minutes.
const STREAM = "/v1/events/stream";
const operations = Object.entries(JSON.parse(readFileSync(openapi, "utf8")).paths)
  .filter(([path]) => path !== STREAM)
  .flatMap(([, item]) => METHODS.filter((method) => method in item));
// Of a key of its own, because a request of the collection replaces the code of the first key.
const { secret } = await post("/v1/keys", key, { name: "collection", scopes: ["admin"] });
const { code: signInCode } = await post("/v1/sign-in-codes", secret);
const { executions } = await run(withoutStream(JSON.parse(readFileSync(file, "utf8"))));
const wrong = executions.filter(({ response }) => !FINE.includes(response?.code));
for (const { item, response } of wrong)
  console.error(item.name, response?.code, response?.stream?.toString());
assert.equal(executions.length, operations.length, "every operation is a request");
assert.equal(wrong.length, 0, "every request is understood as it stands");
const codes = Object.groupBy(executions, ({ response }) => response.code);
console.log(
  Object.entries(codes)
    .map(([code, { length }]) => `${length} × ${code}`)
    .join(", "),
);

async function post(path, token, body) {
  const headers = { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) };
  const answer = await fetch(`${url}${path}`, {
    method: "POST",
    headers,
    body: body && JSON.stringify(body),
  });
  return answer.json();
}

/** The collection, or a folder of it, without the request for a stream. */
function withoutStream({ item: items, ...rest }) {
  const kept = items.filter(({ request }) => !JSON.stringify(request?.url ?? "").includes("/events/stream"));
  return { ...rest, item: kept.map((each) => ("item" in each ? withoutStream(each) : each)) };
}

function run(collection) {
  const newman = require("newman");
  const envVar = Object.entries({ baseUrl: url, apiKey: key, adminToken, signInCode }).map(
    ([name, value]) => ({
      key: name,
      value,
    }),
  );
  return new Promise((resolve, reject) =>
    newman.run({ collection, envVar, timeoutRequest: 20_000 }, (error, summary) =>
      error ? reject(error) : resolve(summary.run),
    ),
  );
}
