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

const operations = Object.values(JSON.parse(readFileSync(openapi, "utf8")).paths).flatMap((path) =>
  METHODS.filter((method) => method in path),
);
const { executions } = await run(JSON.parse(readFileSync(file, "utf8")));
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

function run(collection) {
  const newman = require("newman");
  const envVar = Object.entries({ baseUrl: url, apiKey: key, adminToken }).map(([name, value]) => ({
    key: name,
    value,
  }));
  return new Promise((resolve, reject) =>
    newman.run({ collection, envVar, timeoutRequest: 20_000 }, (error, summary) =>
      error ? reject(error) : resolve(summary.run),
    ),
  );
}
