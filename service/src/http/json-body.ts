import { BODY_BYTES_MAX } from "@engram/spec";
import type { Context, MiddlewareHandler } from "hono";
import { ApiError } from "../errors.ts";
import type { AppEnv } from "../invocation.ts";
import { parseExactJson } from "../text/exact-json.ts";

/** Content types that are accepted. The validators that run after this middleware accept the same syntax. */
const JSON_TYPE = /^application\/json(;\s*[a-z0-9-]+=[^;]+)*$/i;

export const readJsonBody: MiddlewareHandler<AppEnv> = async (c, next) => {
  const value = parseExactJson(await readJsonText(c));
  // Hono's validators call `c.req.json()`, which would parse the body a second time.
  c.req.json = async <T>() => value as T;
  c.set("body", value);
  await next();
};

/**
 * The text of a body of JSON, which is not parsed yet.
 *
 * @throws {ApiError} `unsupported_media_type`, and as `readBodyText`.
 */
export async function readJsonText(c: Context<AppEnv>): Promise<string> {
  const type = c.req.header("content-type") ?? "";
  if (!JSON_TYPE.test(type) || c.req.header("content-encoding") !== undefined) {
    throw new ApiError(
      "unsupported_media_type",
      "Send the body with `content-type: application/json` and without `content-encoding`.",
    );
  }
  return readBodyText(c.req.raw);
}

/** @throws {ApiError} `payload_too_large`, or `invalid_json` if the body is incomplete or not UTF-8. */
export async function readBodyText(request: Request): Promise<string> {
  return decodeUtf8(await readBody(request));
}

/** @throws {ApiError} `payload_too_large`, or `invalid_json` if the body is incomplete. */
export async function readBody(request: Request): Promise<Uint8Array> {
  const tooLarge = () =>
    new ApiError(
      "payload_too_large",
      `A body may have at most ${BODY_BYTES_MAX.toLocaleString("en-US")} bytes. Send several requests.`,
    );
  if (Number(request.headers.get("content-length") ?? 0) > BODY_BYTES_MAX) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > BODY_BYTES_MAX) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    // The body is cut off, or the caller disconnected. The runtime's own error would be taken for a database error.
    throw new ApiError("invalid_json", "The body is incomplete. Send the request again.", { cause });
  }
  const body = new Uint8Array(bytes);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return body;
}

/** @throws {ApiError} `invalid_json` if the bytes are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (cause) {
    throw new ApiError("invalid_json", "The body is not valid UTF-8. Encode it as UTF-8.", { cause });
  }
}
