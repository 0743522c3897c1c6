import { env as workerEnv } from "cloudflare:workers";
import type { D1Migration } from "@cloudflare/vitest-plugin";
import type { LocalControl } from "@engram/local/control";
import type { Database } from "@engram/local/database";
import type { Env } from "../../src/invocation.ts";
import { interceptCalls } from "../../src/platform/database-calls.ts";
import type { ObjectNamespace } from "../../src/platform/objects.ts";
import { recordCalls } from "./both-databases.ts";
import { placedVectors, toPlace } from "./places.ts";

const bindings = workerEnv as unknown as Env & {
  ADMIN_TOKEN: string;
  ARCHIVES: NonNullable<Env["ARCHIVES"]>;
  MIGRATIONS: D1Migration[];
  CELLS: NonNullable<Env["CELLS"]>;
  HUB: NonNullable<Env["HUB"]>;
  /** Objects of other classes, in place of those of a jurisdiction, which workerd does not have. */
  CELLS_ELSEWHERE: NonNullable<Env["CELLS"]>;
  HUB_ELSEWHERE: NonNullable<Env["HUB"]>;
  CONTROL: Service<LocalControl>;
  /** Whether the calls of a file run again after it, on D1 and on the database of `npm start`. */
  REPLAYS: "" | "1";
  /** Another D1 database. */
  REPLAY_DB: D1Database;
  DATABASE: DurableObjectNamespace<Database>;
};

const withJurisdictions = <Stub>(
  objects: ObjectNamespace<Stub>,
  elsewhere: ObjectNamespace<Stub>,
): ObjectNamespace<Stub> => ({
  getByName: (...of) => objects.getByName(...of),
  jurisdiction: () => elsewhere,
});

/** D1, wherever organizations are. */
export const d1 = bindings.REPLAYS === "1" ? interceptCalls(bindings.DB, recordCalls) : bindings.DB;

/** The stand-in of Vectorize, wherever organizations are. */
export const vectorize = bindings.VECTORIZE;

/** The Worker's bindings, and those that control the stand-ins. */
export const env = {
  ...bindings,
  DB: interceptCalls(d1, toPlace),
  VECTORIZE: placedVectors as typeof bindings.VECTORIZE,
  CELLS: withJurisdictions(bindings.CELLS, bindings.CELLS_ELSEWHERE),
  HUB: withJurisdictions(bindings.HUB, bindings.HUB_ELSEWHERE),
};
