/** Saves a value as a JSON file, as a download of the browser. */
export const saveJson = (name: string, value: unknown): void =>
  save(`${name}.json`, "application/json", JSON.stringify(value, null, 2));

/** Saves values as a file of NDJSON, each of them in a line. */
export const saveLines = (name: string, values: readonly unknown[]): void =>
  save(
    `${name}.ndjson`,
    "application/x-ndjson",
    values.map((value) => `${JSON.stringify(value)}\n`).join(""),
  );

function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
