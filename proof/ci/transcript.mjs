// A program: fails when what all of CI printed holds a key or a token.
//
//   node proof/ci/transcript.mjs TRANSCRIPT
import { readFileSync } from "node:fs";
import { secretsIn } from "../../scripts/secrets.mjs";

/** Enough to find a secret's place, and of no use besides. */
const SHOWN = 20;

const transcript = readFileSync(process.argv[2], "utf8");
const found = new Set(secretsIn(transcript).map((secret) => secret.slice(0, SHOWN)));
if (found.size > 0) throw new Error(`secrets were printed: ${[...found].join(", ")}`);
console.log(`${transcript.split("\n").length} lines, no key or token in them`);
