import { expect, test } from "vitest";
import SecretsReporter from "../secrets.mjs";

const example = "engram_sk_live_a8XkQ2m5Zt7Lw0cVb3Nf6Rj9Hd1Gs4Py06e3tqz8m1k4v9x2c7d04kT9wQ";
const earlier = "engram_sk_live_a8XkQ2m5Zt7Lw0cVb3Nf6Rj9Hd1Gs4Py4kT9wQ";

function printed(content) {
  const reporter = new SecretsReporter();
  reporter.onUserConsoleLog({ content });
  return () => reporter.onTestRunEnd();
}

test.for([
  ["a key", example.replace("a8Xk", "b8Xk")],
  ["a key of the earlier form", earlier.replace("a8Xk", "b8Xk")],
  ["the operator's token", "engram_admin_test"],
])("a run that printed %s fails", ([, secret]) => {
  expect(printed(`{"error":"refused ${secret}"}`)).toThrow(secret);
});

test.for([
  ["the documents' example", example],
  ["a key's prefix", example.slice(0, 19)],
])("a run that printed %s does not", ([, text]) => {
  expect(printed(text)).not.toThrow();
});
