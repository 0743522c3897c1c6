import { gunzipSync } from "node:zlib";

export interface StoredText {
  content: string;
  content_encoding: string | null;
}

export interface StoredMessage extends StoredText {
  organization_id: string;
  organization_number: number;
  conversation_id: string;
  kind: string;
  row_key: number;
  name_terms: string | null;
  id: string;
  marker: number | null;
  sequence: number;
  role: string;
  name: string | null;
  created_at_ms: number;
  agent_id: string | null;
  user_id: string | null;
}

export const textOf = ({ content, content_encoding }: StoredText): string =>
  content_encoding === "gzip+base64" ? gunzipSync(Buffer.from(content, "base64")).toString() : content;
