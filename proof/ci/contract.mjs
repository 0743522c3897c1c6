// Has specmatic ask a running service what its document allows and forbids, and holds every answer against it:
//   node contract.mjs URL ADMIN_TOKEN SPECMATIC_JAR FOLDER   (an empty folder for the documents, the log and reports)
//
// Besides what contract/views.mjs leaves out, it asks for no status that takes a state, a wrong key or another body
// than JSON (401, 403, 409, 412, 413, 415, 422, 429, 5xx): the service's own tests meet those of every operation.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { openSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { NOT_SHOWN, viewsOf } from "./contract/views.mjs";
import { PLACE, serveWorlds } from "./contract/worlds.mjs";

/** Requests that each body, and each set of parameters, is varied to: its fields take turns in all that they can be. */
const VARIATIONS = 3;
/** A machine may have much else to do. */
const TIMEOUT_MS = 60_000;
/** For a program of a minute, the best compiler and the parallel collector take more time than they save. */
const JAVA_OPTIONS = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

const [url, adminToken, jarFile, folder] = process.argv.slice(2);
const document = JSON.parse(readFileSync(new URL("../../spec/openapi.json", import.meta.url), "utf8"));
const log = join(folder, "specmatic.log");

const files = viewsOf(document).map((view, i) => {
  const name = `view-${i}.json`;
  writeFileSync(join(folder, name), toYamlsJson(view));
  return name;
});
const config = {
  version: 2,
  contracts: [{ provides: files }],
  test: { resiliencyTests: { enable: "all" }, maxTestRequestCombinations: VARIATIONS },
  disable_telemetry: true,
};
writeFileSync(join(folder, "specmatic.json"), JSON.stringify(config));

const worlds = await serveWorlds(url, adminToken);
const code = await runSpecmatic().finally(() => worlds.close());
const told = readFileSync(log, "utf8");
const [summary, run, failed] = told.match(/Tests run: (\d+), .*Failures: (\d+).*/) ?? [];
if (code !== 0) console.error(told.slice(told.indexOf("Unsuccessful Scenarios:")));
assert.equal(code, 0, `specmatic ended with ${code}: ${summary}`);
assert.ok(Number(run) > 0 && Number(failed) === 0, summary);

// What specmatic left out, it does not tell.
for (const [path, item] of Object.entries(document.paths)) {
  for (const [method, operation] of Object.entries(item)) {
    const { operationId, parameters = [], requestBody, responses } = operation;
    if (NOT_SHOWN.includes(operationId)) continue;
    const served = new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`);
    const statuses = worlds.answers
      .filter((answer) => answer.method.toLowerCase() === method && served.test(answer.path))
      .map(({ status }) => status);
    const count = (least, most) => statuses.filter((status) => status >= least && status <= most).length;
    console.log(`${operationId}: ${count(200, 299)} taken, ${count(400, 499)} refused`);
    assert.ok(count(200, 299) > 0, `${operationId} was never taken`);
    const canBeWrong = requestBody !== undefined || parameters.some(({ in: place }) => place === "query");
    assert.ok(!canBeWrong || count(400, 499) > 0, `${operationId} was never refused`);
    const undeclared = statuses.filter((status) => responses[status] === undefined);
    assert.deepEqual(undeclared, [], `${operationId} answered what it does not declare`);
    assert.equal(count(500, 599), 0, `${operationId} failed`);
  }
}
console.log(`The service answers as its document says. ${summary}`);

function runSpecmatic() {
  const output = openSync(log, "w");
  const base = `http://127.0.0.1:${worlds.port}`;
  const child = spawn(
    "java",
    [
      ...JAVA_OPTIONS,
      "-jar",
      resolve(jarFile),
      "test",
      `--testBaseURL=${base}`,
      `--timeout-in-ms=${TIMEOUT_MS}`,
    ],
    {
      cwd: folder,
      stdio: ["ignore", output, output],
      env: {
        PATH: process.env.PATH,
        HOME: folder,
        // Tokens, by the names of the security schemes.
        apiKey: PLACE.key,
        adminToken: PLACE.operator,
        SPECMATIC_DISABLE_TELEMETRY: "true",
      },
    },
  );
  return new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
}

/** JSON that is YAML too, as specmatic reads it: that forbids some characters that JSON allows. */
function toYamlsJson(value) {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
}
