import type { Context } from "hono";
import { ApiError } from "../errors.ts";
import { readBodyText } from "../http/json-body.ts";
import type { AppEnv } from "../invocation.ts";

/** Anybody may send these bodies, and a registration is stored. */
const BYTES_MAX = 16_384;

/** @throws {ApiError} `payload_too_large`, `invalid_json` if the body is incomplete or not UTF-8. */
export async function readShortText(c: Context<AppEnv>): Promise<string> {
  const tooLarge = () =>
    new ApiError(
      "payload_too_large",
      `The body may have at most ${BYTES_MAX.toLocaleString("en-US")} bytes.`,
    );
  if (Number(c.req.header("content-length") ?? 0) > BYTES_MAX) throw tooLarge();
  const text = await readBodyText(c.req.raw);
  if (text.length > BYTES_MAX) throw tooLarge();
  return text;
}

/** @throws {ApiError} as `readShortText`, and `unsupported_media_type` for anything but the fields of a form. */
export async function readForm(c: Context<AppEnv>): Promise<string> {
  const type = (c.req.header("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded")
    throw new ApiError(
      "unsupported_media_type",
      "Send the body with `content-type: application/x-www-form-urlencoded`.",
    );
  return readShortText(c);
}
