/** Saves a value as a JSON file, as a download of the browser. */
export function saveJson(name: string, value: unknown): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(value, null, 2)], { type: "application/json" }));
  Object.assign(document.createElement("a"), { href: url, download: `${name}.json` }).click();
  URL.revokeObjectURL(url);
}
