import {
  type Call,
  freshIds,
  type Ids,
  type RequestParts,
  requestFor,
  toRequest,
} from "../../../../../service/test/support/requests.ts";
import { atLimits, type Fixed, type Schema, type Shape, words } from "./extremes.ts";
import type { Attack } from "./worst.ts";

const QUERY_CHARACTERS = 9_000;
const FILTER = Object.fromEntries(Array.from({ length: 16 }, (_, i) => [`key_${i}`, `value ${i}`]));

/** As many phrases as a search may exclude, of as many words. None occurs, so that no result is lost. */
const EXCLUDED = Array.from({ length: 16 }, (_, i) =>
  Array.from({ length: 32 }, (_, j) => `u${i}x${j}`).join(" "),
);

/** Values that no limit determines. Undefined omits optional fields that would make a request match less, or wait. */
const FIXED: Fixed = {
  ...{ cursor: undefined, wait: undefined, rerank: undefined, all: undefined },
  ...{ agent_id: undefined, user_id: undefined, source: undefined, kind: undefined, names: undefined },
  ...{ roles: undefined, conversation_id: undefined, key_id: undefined, type: undefined, status: undefined },
  ...{ action: undefined, from: undefined, to: undefined, max_tokens: undefined, min_relevance: 0 },
  ...{ exclude: EXCLUDED, origin: undefined },
  ...{ mode: "hybrid", external_id: undefined, dry_run: true, neighbors: { before: 20, after: 20 } },
};
const FIXED_QUERY: Fixed = {
  ...FIXED,
  ...{ metadata: JSON.stringify(FILTER), newest: undefined },
  ...{ after: undefined, from_sequence: undefined, to_sequence: undefined },
  ...{ after_sequence: undefined },
};
/** Additional fixed values of single operations. */
const FIXED_BODY: Readonly<Record<string, Fixed>> = {
  // The two messages of a fresh conversation.
  replaceMessages: { expected_last_sequence: 2, from_sequence: 1 },
  forkConversation: { sequence: 2 },
};

interface Document {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
}

interface Described {
  operationId?: string;
  security?: Record<string, string[]>[];
  parameters?: { in: string; name: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** An operation of the running service's OpenAPI document. */
export interface Operation {
  id: string;
  method: string;
  path: string;
  /** Whether a key, or nobody, is needed to call it. */
  isForKeys: boolean;
  described: Described;
  /** As a contract has it. */
  request: { body: { content: Record<string, unknown> } };
}

export const operationsOf = (document: unknown): Operation[] =>
  Object.entries((document as Document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, described]) => {
      const { operationId: id, security = [], requestBody } = described;
      const isForKeys = security.some((one) => "apiKey" in one || Object.keys(one).length === 0);
      const request = { body: { content: requestBody?.content ?? {} } };
      return id === undefined ? [] : [{ id, method, path, isForKeys, described, request }];
    }),
  );

/**
 * A request at its limits for every operation that a key may call.
 *
 * @throws {Error} For an operation that the list of requests lacks, or with a schema that `atLimits` does not support.
 */
export function generatedRequests(input: {
  document: unknown;
  call: Call;
  ids: Ids;
  /** Size of a body as JSON. */
  bytes: number;
  /** Creates an organization and returns its id and key. */
  found: () => Promise<{ id: string; secret: string }>;
}): Attack[] {
  const { components } = input.document as Document;
  const expected = [200, 201, 202];
  return (
    operationsOf(input.document)
      // No event of these webhooks failed, so none can be skipped.
      .filter(({ id, isForKeys }) => isForKeys && id !== "skipDelivery" && id !== "deleteGrant")
      .flatMap((operation): Attack[] => {
        const { id: name, described } = operation;
        if (name === "deleteOrganization") {
          const make = async () => {
            const { id, secret } = await input.found();
            const headers = { authorization: `Bearer ${secret}` };
            return toRequest(operation, { params: { organization_id: id }, headers });
          };
          return [{ name, make, expected }];
        }
        const shapes: Shape[] = described.requestBody === undefined ? ["large"] : ["many", "large"];
        return shapes.map((shape) => ({
          name: described.requestBody === undefined ? name : `${name} ${shape}`,
          expected,
          make: async () => {
            const valid = requestFor(name, await freshIds(name, input.ids, input.call));
            const size = { shape, bytes: input.bytes };
            return toRequest(operation, extreme(operation, valid, size, components.schemas));
          },
        }));
      })
  );
}

function extreme(
  { id, described: { parameters = [], requestBody } }: Operation,
  valid: RequestParts,
  size: { shape: Shape; bytes: number },
  components: Record<string, Schema>,
): RequestParts {
  const query = parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name, schema }) => {
      const input = { name, shape: "large", bytes: 1_000, fixed: FIXED_QUERY } as const;
      return [name, atLimits(schema, components, input)];
    })
    .filter(([, value]) => value !== undefined);
  if (requestBody === undefined) return { ...valid, query: Object.fromEntries(query) };
  const schema = requestBody.content["application/json"]?.schema;
  // Lines refer to each other. worst.ts has large ones.
  if (schema === undefined) return valid;
  const fixed = { ...FIXED, query: words(QUERY_CHARACTERS), ...FIXED_BODY[id] };
  return { ...valid, body: atLimits(schema, components, { name: "body", ...size, fixed }) };
}
