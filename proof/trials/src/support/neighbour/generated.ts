import type { Operation } from "../isolation/operations.ts";
import { begunImport, type Own } from "../isolation/recipes.ts";
import { type Parts, type Request, type Requester, toRequest } from "../isolation/requester.ts";
import type { Schema } from "../isolation/slots.ts";
import { partsOf, recipeOf, variantsOf } from "../isolation/tenants.ts";
import { atLimits, type Fixed, type Limited, type Shape, words } from "./extremes.ts";
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
  ...{ mode: "hybrid", external_id: undefined, dry_run: true, context: { before: 20, after: 20 } },
};
const FIXED_QUERY: Fixed = {
  ...FIXED,
  ...{ metadata: JSON.stringify(FILTER), newest: undefined },
  ...{ before: undefined, after: undefined, from_sequence: undefined, to_sequence: undefined },
  ...{ after_conversation_id: undefined, after_sequence: undefined, after_memory_id: undefined },
};
/** Additional fixed values of single operations. */
const FIXED_BODY: Readonly<Record<string, Fixed>> = {
  // The two messages that `spends` creates.
  replaceMessages: { expected_last_sequence: 2, from_sequence: 1 },
  forkConversation: { sequence: 2 },
};
const SPENDS: Readonly<Record<string, (requester: Requester) => Promise<Partial<Own>>>> = {
  cancelOperation: begunImport,
};

interface Document {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
}

interface Described {
  parameters?: { in: string; name: string; schema: Limited }[];
  requestBody?: { content: Record<string, { schema: Limited }> };
}

/**
 * A request at its limits for every operation that a key may call, in each of its variants.
 *
 * @throws {Error} For an operation without a recipe, or with a schema that `atLimits` does not support.
 */
export function generatedRequests(input: {
  document: unknown;
  operations: readonly Operation[];
  requester: Requester;
  own: Own;
  /** Size of a body as JSON. */
  bytes: number;
  /** Creates an organization and returns its id and key. */
  found: () => Promise<{ id: string; secret: string }>;
}): Attack[] {
  const { paths, components } = input.document as Document;
  return input.operations
    .filter(({ scopes }) => scopes !== null)
    .flatMap((operation): Attack[] => {
      const expected = [200, 201, 202];
      if (operation.id === "deleteOrganization") {
        const make = async (): Promise<Request> => {
          const { id, secret } = await input.found();
          const headers = { authorization: `Bearer ${secret}` };
          return { method: "DELETE", path: `/v1/organizations/${id}`, headers };
        };
        return [{ name: operation.id, make, expected }];
      }
      const described = paths[operation.path]?.[operation.method.toLowerCase()] ?? {};
      const shapes: Shape[] = described.requestBody === undefined ? ["large"] : ["many", "large"];
      return variantsOf(operation).flatMap((variant) =>
        shapes.map((shape) => ({
          name: [operation.id, variant, described.requestBody && shape].filter(Boolean).join(" "),
          expected,
          make: async () => {
            const spends = SPENDS[operation.id] ?? recipeOf(operation).spends;
            const own = { ...input.own, ...(await spends?.(input.requester)) };
            const parts = partsOf(operation, own, variant, null);
            return toRequest(
              "rest",
              operation,
              extreme(operation, parts, described, { shape, bytes: input.bytes }, components.schemas),
            );
          },
        })),
      );
    });
}

function extreme(
  { id, bodyType }: Operation,
  parts: Parts,
  { parameters = [], requestBody }: Described,
  size: { shape: Shape; bytes: number },
  components: Record<string, Schema>,
): Parts {
  const query = parameters
    .filter((parameter) => parameter.in === "query")
    .map(({ name, schema }) => {
      const input = { name, shape: "large", bytes: 1_000, fixed: FIXED_QUERY } as const;
      return [name, atLimits(schema, components, input)];
    })
    .filter(([, value]) => value !== undefined);
  const schema = requestBody?.content[bodyType]?.schema;
  // Lines refer to each other, so the recipe's lines are used. worst.ts has large ones.
  if (schema === undefined || bodyType !== "application/json") {
    return { ...parts, query: { ...parts.query, ...(schema ? {} : Object.fromEntries(query)) } };
  }
  const fixed = { ...FIXED, query: words(QUERY_CHARACTERS), ...FIXED_BODY[id] };
  const body = atLimits(schema, components, { name: "body", ...size, fixed });
  return { ...parts, body: body as Parts["body"] };
}
