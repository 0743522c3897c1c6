import { utf8Bytes, WRITE_BYTES_MAX, WRITE_SIZE } from "@engram/spec";
import { ApiError } from "../errors.ts";

/**
 * Size of an item: its content as UTF-8 and all other fields as JSON. It does not depend on how the request
 * escapes characters.
 */
export function decodedBytes(item: object): number {
  const { content = "", ...rest } = item as { content?: string };
  return utf8Bytes(content) + utf8Bytes(JSON.stringify(rest));
}

/** Checks the size of a write before any work is done for it. @throws {ApiError} `payload_too_large`. */
export function refuseLargeWrite(items: { content: string }[]): void {
  let bytes = 0;
  for (const item of items) {
    bytes += decodedBytes(item);
    if (bytes > WRITE_BYTES_MAX) {
      throw new ApiError(
        "payload_too_large",
        `A request may have at most ${WRITE_SIZE}; send several requests.`,
      );
    }
  }
}
