import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import {
  type ApiDocument,
  BASE_URL,
  COLLECTION_PATH,
  DOCUMENT,
  exampleOf,
  isOpen,
  type Operation,
  operationsOf,
} from "./api-reference.ts";

const SCHEMA = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";

/** Write the contract as a Postman collection, which Bruno, Insomnia and Hoppscotch read, too, into `assets`. */
export function writeCollection(assets: string): void {
  const document: ApiDocument = JSON.parse(readFileSync(DOCUMENT, "utf8"));
  const file = resolve(assets, COLLECTION_PATH);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(toCollection(document), null, 2)}\n`);
}

/** A folder for each tag with a request for each operation, filled with the contract's own examples. */
export function toCollection(document: ApiDocument) {
  const operations = operationsOf(document);
  return {
    info: { name: "Engram", description: document.info.description, schema: SCHEMA },
    auth: bearer("apiKey"),
    variable: [
      { key: "baseUrl", value: BASE_URL },
      { key: "apiKey", value: "" },
      { key: "adminToken", value: "" },
      { key: "signInCode", value: "" },
    ],
    item: document.tags.map(({ name, description }) => ({
      name,
      description,
      item: operations
        .filter(({ operation }) => operation.tags.includes(name))
        .map(({ method, path, operation }) => ({
          name: operation.summary,
          request: toRequest(document, method, path, operation),
        })),
    })),
  };
}

function toRequest(document: ApiDocument, method: string, path: string, operation: Operation) {
  const [mediaType, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const parameters = (place: string) =>
    (operation.parameters ?? [])
      .filter((parameter) => parameter.in === place)
      .map(({ name, required, description, schema }) => ({
        key: name,
        value: String(schema.examples?.[0] ?? schema.default ?? ""),
        description,
        // What need not be sent is there to be switched on.
        ...(required ? {} : { disabled: true }),
      }));
  const segments = path
    .slice(1)
    .split("/")
    .map((segment) => segment.replace(/^\{(\w+)\}$/, ":$1"));
  return {
    method,
    description: operation.description,
    ...authOf(operation),
    header: [
      ...(mediaType === undefined ? [] : [{ key: "content-type", value: mediaType }]),
      ...parameters("header"),
    ],
    url: {
      raw: `{{baseUrl}}/${segments.join("/")}`,
      host: ["{{baseUrl}}"],
      path: segments,
      query: parameters("query"),
      variable: parameters("path"),
    },
    ...(body === undefined
      ? {}
      : { body: { mode: "raw", raw: rawBody(mediaType, body.example ?? exampleOf(document, body.schema)) } }),
  };
}

/** JSON is indented. An example of another type is text, which is left as it is. */
function rawBody(mediaType: string | undefined, value: unknown): string {
  return mediaType === "application/json" ? JSON.stringify(value, null, 2) : String(value);
}

/** Where the collection's own key is not what the operation takes. */
function authOf(operation: Operation) {
  if (isOpen(operation)) return { auth: { type: "noauth" } };
  const other = ["adminToken", "signInCode"].find((scheme) =>
    operation.security.every((each) => scheme in each),
  );
  return other === undefined ? {} : { auth: bearer(other) };
}

function bearer(variable: string) {
  return { type: "bearer", bearer: [{ key: "token", value: `{{${variable}}}`, type: "string" }] };
}
