// Checks how well programs and models can use the API, as redocly scores the OpenAPI document.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "./commands.mjs";

/**
 * Out of 100. redocly reads a shared error response for the first operation alone, and then takes the others for less
 * related to one another, which costs some 4 points.
 */
const SCORE_MIN = 85;
/** The output covers every operation, so it is larger than Node's default buffer. */
const ANSWER_BYTES_MAX = 10_000_000;

/** Score a document. @throws when the score is below `SCORE_MIN`. */
export async function checkScore(document = join(root, "spec/openapi.json")) {
  const { stdout } = await promisify(execFile)("redocly", ["score", document, "--format", "json"], {
    maxBuffer: ANSWER_BYTES_MAX,
  });
  const { agentReadiness } = JSON.parse(stdout);
  console.log(`\nredocly scores the document at ${agentReadiness}.`);
  if (!(agentReadiness >= SCORE_MIN))
    throw new Error(`the document's score is ${agentReadiness}, below ${SCORE_MIN}`);
}
