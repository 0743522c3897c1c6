import { utf8Bytes, WRITE_BYTES_MAX, WRITE_SIZE } from "@engram/spec";
import { ApiError } from "../errors.ts";

/** Does not depend on how the request escapes characters: content as UTF-8, all other fields as JSON. */
export function decodedBytes(item: object): number {
  const { content = "", ...rest } = item as { content?: string };
  return utf8Bytes(content) + utf8Bytes(JSON.stringify(rest));
}

/** Called before any work on a write. @throws {ApiError} `payload_too_large`. */
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
