import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { atLimits, type Schema } from "../src/support/neighbour/extremes.ts";

const { components } = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../spec/openapi.json"), "utf8"),
) as { components: { schemas: Record<string, Schema> } };
const at = (schema: Schema, shape: "many" | "large", fixed = {}) =>
  atLimits(schema, components.schemas, { name: "body", shape, bytes: 200_000, fixed });
const BODIES = Object.keys(components.schemas).filter((name) => name.endsWith("Body"));

describe("a request body at its limits", () => {
  test.for(BODIES)("can be generated for %s, within the size limit", (name) => {
    for (const shape of ["many", "large"] as const) {
      const body = at({ $ref: `#/components/schemas/${name}` }, shape);
      // A thousand memories with all their fields have far more in names and times than the size asked for.
      expect(JSON.stringify(body).length).toBeLessThan(700_000);
    }
  });

  test("has as many items as a list accepts, or a few large ones", () => {
    const append = { $ref: "#/components/schemas/AppendMessagesBody" };
    const many = at(append, "many") as { messages: { content: string }[] };
    expect(many.messages.length).toBe(1_000);
    const [large] = (at(append, "large") as typeof many).messages;
    expect(large?.content.length).toBeGreaterThan(20_000);
  });

  test("leaves out a field fixed as absent, and uses a fixed value", () => {
    const search = { $ref: "#/components/schemas/SearchBody" };
    expect(at(search, "many", { mode: "keyword", names: undefined })).not.toHaveProperty("names");
    expect(at(search, "many", { mode: "keyword" })).toMatchObject({ mode: "keyword", limit: 50 });
  });

  test("keeps a required field, even if other schemas leave out a field of that name", () => {
    const put = { $ref: "#/components/schemas/PutMemoryBody" };
    expect(at(put, "many", { external_id: undefined, user_id: undefined })).toMatchObject({
      external_id: expect.any(String),
    });
    expect(at(put, "many", { external_id: undefined, user_id: undefined })).not.toHaveProperty("user_id");
  });

  test("cannot be generated for a schema of an unknown kind", () => {
    expect(() => at({ type: "object", properties: { strange: {} } }, "many")).toThrow("strange");
  });
});
