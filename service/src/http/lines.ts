import { ExportLine, IMPORT_LINES_MAX, IMPORT_VALUES_MAX, NDJSON_TYPE } from "@engram/spec";
import type { MiddlewareHandler } from "hono";
import { ApiError } from "../errors.ts";
import type { AppEnv, BodyLine } from "../invocation.ts";
import { readExactJson } from "../text/exact-json.ts";
import { decodeUtf8, readBody } from "./json-body.ts";
import { toValidationError } from "./problems.ts";

const LINE_FEED = 0x0a;

/** Reads the lines of an NDJSON body. An invalid line does not affect the others. */
export const readLines: MiddlewareHandler<AppEnv> = async (c, next) => {
  const [type] = (c.req.header("content-type") ?? "").split(";");
  if (type?.trim().toLowerCase() !== NDJSON_TYPE || c.req.header("content-encoding") !== undefined) {
    throw new ApiError(
      "unsupported_media_type",
      `Send the body with \`content-type: ${NDJSON_TYPE}\` and without \`content-encoding\`.`,
    );
  }
  const lines = splitLines(await readBody(c.req.raw));
  c.set("lineCount", lines.length);
  const read: BodyLine[] = [];
  let values = 0;
  for (const [place, bytes] of lines.entries()) {
    const line = readLine(bytes, place + 1);
    if (line === null) continue;
    values += line.values;
    // Checked after each line, before more are parsed: parsed lines stay in memory until the response.
    if (values > IMPORT_VALUES_MAX) {
      throw new ApiError(
        "payload_too_large",
        `A request may have at most ${IMPORT_VALUES_MAX} fields and items. Send several, one after another.`,
      );
    }
    read.push(line.body);
  }
  c.set("lines", read);
  await next();
};

/** Splits the body into lines before decoding, so that invalid UTF-8 affects only its own line. */
function splitLines(body: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < body.length; ) {
    const feed = body.indexOf(LINE_FEED, start);
    const end = feed < 0 ? body.length : feed;
    if (lines.push(body.subarray(start, end)) > IMPORT_LINES_MAX) {
      throw new ApiError(
        "payload_too_large",
        `A request may have at most ${IMPORT_LINES_MAX} lines. Send several, one after another.`,
      );
    }
    start = end + 1;
  }
  return lines;
}

/** Reads one line. Null if it is blank. */
function readLine(bytes: Uint8Array, line: number): { body: BodyLine; values: number } | null {
  try {
    const text = decodeUtf8(bytes);
    if (text.trim() === "") return null;
    const { value, refusal, values } = readExactJson(text, IMPORT_VALUES_MAX);
    if (refusal !== undefined) return { body: { line, problem: refusal }, values };
    const { data, error } = ExportLine.safeParse(value);
    return { body: data ? { line, value: data } : { line, problem: toValidationError(error) }, values };
  } catch (problem) {
    if (!(problem instanceof ApiError)) throw problem;
    return { body: { line, problem }, values: 0 };
  }
}
