import operations from "./generated/operations.json" with { type: "json" };

/** A parameter of an operation, or a field of its body. */
export interface ApiField {
  /** As in the contract, such as `created_after`. */
  name: string;
  in: "path" | "query" | "header" | "body";
  description: string;
  /** Names of JSON types. Default: only `string`. */
  types?: string[];
  /** Types of the items of a list. */
  itemTypes?: string[];
  /** The values, or those of the items, if there are no others. */
  values?: string[];
  isRequired?: boolean;
  /** Of a required field. */
  example?: unknown;
}

/** An operation of the API, from the OpenAPI document. */
export interface ApiOperation {
  id: string;
  method: string;
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** What the caller needs, in words. Absent if the operation needs no key. */
  needs?: string;
  fields: ApiField[];
  /** Content type of the body. Absent if there is none. */
  body?: string;
  /** Whether the response is not JSON but lines. */
  isStream?: boolean;
  isPage?: boolean;
  /** Whether the response is an operation that may still be running. */
  isOperation?: boolean;
}

export const API_OPERATIONS = operations as ApiOperation[];

/** Whether the operation deletes or revokes something. */
export const isIrreversible = ({ method, needs = "" }: ApiOperation): boolean =>
  method === "DELETE" || / delete\b/.test(needs);
