// Makes a Postman collection (Bruno, Insomnia and Hoppscotch read it, too) of the contract, and sends each of its
// requests as it stands to the running service.
//   node collection.mjs OPENAPI URL KEY FILE   (in an empty folder, into which the tools are installed)
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [openapi, url, key, file] = process.argv.slice(2);
const METHODS = ["get", "post", "put", "patch", "delete"];
/** What a request with made-up ids and the rights of an organization's own key may be answered with. */
const FINE = [200, 201, 202, 401, 404];
const DEFAULT_URL = "http://127.0.0.1:8787";

writeFileSync("package.json", '{"private":true}\n');
const packages = ["openapi-to-postmanv2@6.3.3", "newman@6.2.2"];
execFileSync("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...packages], {
  stdio: ["ignore", "ignore", "pipe"],
});
const require = createRequire(join(process.cwd(), "index.js"));

const text = readFileSync(openapi, "utf8");
const collection = await convert(text);
const requests = collection.item.flatMap(({ item }) => item);
const operations = Object.values(JSON.parse(text).paths).flatMap((path) =>
  METHODS.filter((method) => method in path),
);
assert.equal(requests.length, operations.length, "every operation is a request");
for (const { request } of requests) tidy(request);
collection.auth = bearer("{{apiKey}}");
collection.variable = [
  { key: "baseUrl", value: DEFAULT_URL },
  { key: "apiKey", value: "" },
];
writeFileSync(file, `${JSON.stringify(collection, null, 2)}\n`);

// What deletes all goes last.
const last = ["Delete an organization"];
for (const folder of collection.item) folder.item.sort((a, b) => last.indexOf(a.name) - last.indexOf(b.name));
const { executions } = await run(collection);
const wrong = executions.filter(({ response }) => !FINE.includes(response?.code));
for (const { item, response } of wrong)
  console.error(item.name, response?.code, response?.stream?.toString());
assert.equal(executions.length, requests.length);
assert.equal(wrong.length, 0, "every request is understood as it stands");
const codes = Object.groupBy(executions, ({ response }) => response.code);
console.log(
  Object.entries(codes)
    .map(([code, { length }]) => `${length} × ${code}`)
    .join(", "),
);

/** The converter makes values up where it finds no `example`, which is what OpenAPI 3.0 called the first of `examples`. */
function withExample(_name, value) {
  return Array.isArray(value?.examples) ? { ...value, example: value.examples[0] } : value;
}

function convert(document) {
  const data = JSON.stringify(JSON.parse(document, withExample));
  const { convertV2 } = require("openapi-to-postmanv2");
  const options = { folderStrategy: "Tags", parametersResolution: "Example" };
  return new Promise((resolve, reject) =>
    convertV2({ type: "string", data }, options, (error, result) =>
      error || !result.result ? reject(error ?? new Error(result.reason)) : resolve(result.output[0].data),
    ),
  );
}

/** Sends nothing that need not be sent, and the key from one place. */
function tidy(request) {
  for (const header of request.header ?? [])
    if (["idempotency-key", "if-match"].includes(header.key.toLowerCase())) header.disabled = true;
  for (const parameter of request.url.query ?? []) parameter.disabled = true;
  if (request.auth?.type === "bearer") delete request.auth;
}

function bearer(value) {
  return { type: "bearer", bearer: [{ key: "token", value, type: "string" }] };
}

function run(sent) {
  const newman = require("newman");
  const envVar = [
    { key: "baseUrl", value: url },
    { key: "apiKey", value: key },
  ];
  return new Promise((resolve, reject) =>
    newman.run({ collection: sent, envVar, timeoutRequest: 20_000 }, (error, summary) =>
      error ? reject(error) : resolve(summary.run),
    ),
  );
}
