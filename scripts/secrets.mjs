// A vitest reporter that fails the run when a test prints a key or the admin token, even in hidden output.

/** Matches keys and tokens, except for the example key in the documents. */
const SECRETS = /engram_sk_live_(?!a8XkQ2m5Zt7L)[0-9A-Za-z]{38,}|engram_admin_\w+/g;

export const secretsIn = (text) => text.match(SECRETS) ?? [];

export default class {
  #found = [];

  /** Also called for tests that pass and whose output is hidden. */
  onUserConsoleLog({ content }) {
    this.#found.push(...secretsIn(content));
  }

  onTestRunEnd() {
    if (this.#found.length === 0) return;
    throw new Error(`Tests printed secrets: ${[...new Set(this.#found)].join(", ")}`);
  }
}
