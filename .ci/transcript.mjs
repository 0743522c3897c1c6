// A program: fails when what all of CI printed, or what the service logged meanwhile, holds a key or a token.
//
//   node .ci/transcript.mjs TRANSCRIPT SERVICE_LOG
import { readFileSync } from "node:fs";
import { secretsIn } from "../scripts/secrets.mjs";

/** Enough to find a secret's place, and of no use besides. */
const SHOWN = 20;

const [transcript, log] = process.argv.slice(2).map((path) => readFileSync(path, "utf8"));
// The banner shows the ready key, to whom it belongs; what follows are lines of JSON.
const lines = log.split("\n").filter((line) => line.startsWith("{"));
if (lines.length === 0) throw new Error("the service logged nothing");
const found = [...secretsIn(transcript), ...secretsIn(lines.join("\n"))];
if (found.length > 0)
  throw new Error(
    `secrets were printed: ${[...new Set(found.map((secret) => secret.slice(0, SHOWN)))].join(", ")}`,
  );
console.log(
  `${transcript.split("\n").length} lines printed and ${lines.length} logged, no key or token in them`,
);
