import { isEngramError } from "@engram/sdk";
import { UsageError } from "../args.ts";
import { DeployError } from "../deploy-error.ts";
import { USAGE } from "./args.ts";

export function explain(error: unknown, url: string): string {
  if (error instanceof UsageError) return `${error.message}\n\n${USAGE}`;
  if (error instanceof DeployError) return error.message;
  if (isEngramError(error)) {
    if (error.name === "ConnectionError") {
      return `No answer from ${url}: ${error.message}\nWhat is queued goes on without this command.`;
    }
    switch (error.code) {
      case "unauthenticated":
        return `${url} does not take the key in ENGRAM_API_KEY: ${error.message}`;
      case "forbidden":
        return `The key in ENGRAM_API_KEY needs the scopes read and write: ${error.message}`;
      case "not_found":
      case "unexpected_response":
        return `There is no Engram at ${url}: ${error.message}`;
      default:
        return `${url} failed: ${error.message} (${error.code}, request ${error.requestId})`;
    }
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
