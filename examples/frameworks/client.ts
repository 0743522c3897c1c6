import { readFileSync } from "node:fs";
import { Engram } from "@engram/sdk";

export const engram = new Engram({
  baseUrl: process.env.ENGRAM_URL ?? "http://127.0.0.1:26366",
  apiKey: process.env.ENGRAM_API_KEY ?? localKey(),
});

/** The key that `npm start` wrote to the repository. */
function localKey(): string {
  try {
    return readFileSync(new URL("../../.engram/key", import.meta.url), "utf8").trim();
  } catch {
    throw new Error("No key: start the service with `npm start`, or set ENGRAM_API_KEY.");
  }
}
