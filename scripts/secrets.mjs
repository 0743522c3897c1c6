// A reporter for vitest: no test may print a key or the operator's token, not even where nobody sees it.

/** Keys and tokens, but for the documents' own example. */
const SECRETS = /engram_sk_live_(?!a8XkQ2m5Zt7L)[0-9A-Za-z]{38}|engram_admin_\w+/g;

/** The secrets in a text. */
export const secretsIn = (text) => text.match(SECRETS) ?? [];

export default class {
  #found = [];

  /** Of every test, those that pass in silence among them. */
  onUserConsoleLog({ content }) {
    this.#found.push(...secretsIn(content));
  }

  onTestRunEnd() {
    if (this.#found.length === 0) return;
    throw new Error(`Tests printed secrets: ${[...new Set(this.#found)].join(", ")}`);
  }
}
