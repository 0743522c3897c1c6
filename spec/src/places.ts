import { z } from "@hono/zod-openapi";

/** Stored in databases and used by clients: add values, never rename one. */
export const Place = z
  .enum(["d1", "cell"])
  .meta({
    description:
      "Where the data of the organization is. `d1`: in the database that all such organizations share. `cell`: in a database of its own, a Durable Object of Cloudflare, so that no other organization slows it down or fills it.",
    examples: ["d1"],
  })
  .openapi("Place");
export type Place = z.infer<typeof Place>;
