import { gunzipSync } from "node:zlib";

export interface StoredText {
  content: string;
  content_encoding: string | null;
}

export const textOf = ({ content, content_encoding }: StoredText): string =>
  content_encoding === "gzip+base64" ? gunzipSync(Buffer.from(content, "base64")).toString() : content;
