import type { DataDirectory } from "./data-directory.ts";
import { StartError } from "./start-error.ts";

/** Sends a request to the service. */
export type Call = (
  path: string,
  init: { method?: string; headers: Record<string, string>; body?: string },
) => Promise<{ status: number; text(): Promise<string> }>;

/**
 * Returns the stored key if the service still accepts it. Otherwise creates an organization "local", and
 * stores and returns its key.
 *
 * @throws {StartError} If the service responds unexpectedly.
 */
export async function ensureKey(
  call: Call,
  data: Pick<DataDirectory, "adminToken" | "readKey" | "writeKey">,
): Promise<string> {
  const kept = data.readKey();
  if (kept !== undefined && (await isAccepted(call, kept))) return kept;
  const response = await call("/v1/organizations", {
    method: "POST",
    headers: { authorization: `Bearer ${data.adminToken}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "local" }),
  });
  const text = await response.text();
  if (response.status !== 201) throw unexpected("POST /v1/organizations", response.status, text);
  const secret = readKeySecret(text);
  if (secret === undefined) throw unexpected("POST /v1/organizations", response.status, text);
  data.writeKey(secret);
  return secret;
}

async function isAccepted(call: Call, key: string): Promise<boolean> {
  const response = await call("/v1/keys", { headers: { authorization: `Bearer ${key}` } });
  const text = await response.text();
  // A server error does not mean that the key is invalid.
  if (response.status >= 500) throw unexpected("GET /v1/keys", response.status, text);
  return response.status === 200;
}

function readKeySecret(text: string): string | undefined {
  try {
    const body: { key?: { secret?: unknown } } = JSON.parse(text);
    return typeof body.key?.secret === "string" ? body.key.secret : undefined;
  } catch {
    return undefined;
  }
}

function unexpected(request: string, status: number, text: string): StartError {
  return new StartError(`The service answered ${request} with ${status}: ${text.slice(0, 500)}`);
}
