import type { Outcome, Row } from "./measure.ts";

export function formatReport(rows: readonly Row[], node: string): string {
  return `# Client libraries

Measured by \`npm run bench:sdk\` on Node ${node}. Each library is installed into an empty folder and calls the same server on this machine in the same way. "Attempts" are the requests that the server received. "Problems" are those that the tools [attw](https://arethetypeswrong.github.io) and [publint](https://publint.dev) (strict, with suggestions) find in the published package.

## Size

| | to download | packages installed | on disk | in a browser's bundle, gzipped | problems: attw, publint |
| --- | ---: | ---: | ---: | ---: | ---: |
${rows.map(toCostRow).join("\n")}

## Handling of failures

The columns: the server always returns 500; it returns 429 with \`Retry-After: 1\` once; it closes the connection without a response; which idempotency key the library sends with a write; what happens when the caller aborts the call; what the error for a 400 contains.

| | always 500 | 429, \`Retry-After: 1\` | answer lost | idempotency key | aborted | error of a 400 |
| --- | --- | --- | --- | --- | --- | --- |
${rows.map(toFailureRow).join("\n")}
`;
}

const kilobytes = (bytes: number): string =>
  `${(bytes / 1_000).toLocaleString("en-US", { maximumFractionDigits: bytes < 100_000 ? 1 : 0 })} kB`;

function toCostRow({ name, version, tarballBytes, packages, installedBytes, ...row }: Row): string {
  const { bundleBytes, problems } = row;
  const bundle = bundleBytes === null ? "not bundled: needs Node" : kilobytes(bundleBytes);
  const told = `${problems.types.length}, ${problems.packaging.length}`;
  const cells = [kilobytes(tarballBytes), packages, kilobytes(installedBytes), bundle, told];
  return `| ${name} ${version} | ${cells.join(" | ")} |`;
}

function toFailureRow({ name, abort, outcomes }: Row): string {
  const { told } = outcomes["400"];
  const cells = [
    tries(outcomes["500"]),
    outcomes["429"].end === "answer" ? `succeeds after ${seconds(outcomes["429"])}` : tries(outcomes["429"]),
    tries(outcomes["lost answer"]),
    outcomes["lost answer"].key === "same" ? "the same on every attempt" : outcomes["lost answer"].key,
    toAborted(outcomes.abort, abort),
    told === undefined
      ? outcomes["400"].end
      : `${told.name}: ${told.held.join(", ") || "nothing to read"}; ${told.requestId ? "names the request" : "no request id"}`,
  ];
  return `| ${name} | ${cells.join(" | ")} |`;
}

const seconds = ({ ms }: Outcome): string => `${(ms / 1_000).toFixed(1)} s`;

const tries = (outcome: Outcome): string =>
  `${outcome.attempts} attempt${outcome.attempts === 1 ? "" : "s"}, ${outcome.end} after ${seconds(outcome)}`;

function toAborted({ end, ms, isReason }: Outcome, taker: Row["abort"]): string {
  if (taker === "nothing") return "no option";
  const option = taker === "client" ? ", for the whole client" : "";
  if (end === "no result") return `goes on${option}`;
  if (end === "answer") return `after ${ms} ms, as if answered${option}`;
  return `after ${ms} ms, ${isReason ? "with" : "without"} its reason${option}`;
}
