import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listMigrations } from "@engram/local/migrations";
import { openIdMistake } from "@engram/local/openid";
import { parse } from "smol-toml";
import { z } from "zod";
import { DeployError } from "./deploy-error.ts";

const AccessClients = z.record(
  z.string(),
  z.strictObject({ organization_id: z.string(), key_id: z.string() }),
);
const ACCESS_CLIENTS_HINT =
  'must be JSON like {"CLIENT-ID.access":{"organization_id":"org_…","key_id":"key_…"}}';

const OAuthClients = z.record(
  z.string(),
  z.strictObject({ name: z.string().min(1), redirect_uris: z.array(z.url()).min(1) }),
);
const OAUTH_CLIENTS_HINT =
  'must be JSON like {"my-client":{"name":"My client","redirect_uris":["https://example.com/callback"]}}';

/** Settings that can be given in the environment instead of `wrangler.toml`. The Worker gets them as secrets. */
export const ENVIRONMENT_SETTINGS = ["OAUTH_CLIENTS", "OIDC", "OIDC_CLIENT_SECRET"] as const;

/**
 * Includes settings that only the Worker uses, so that a mistake in them is found before the deployment.
 */
const Toml = z.object({
  name: z.string(),
  account_id: z.string().optional(),
  vars: z.object({
    EMBEDDING_DIMENSIONS: z.coerce.number().int().positive(),
    ACCESS_ISSUER: z.union([z.literal(""), z.url({ protocol: /^https$/ })]).default(""),
    OAUTH_CLIENTS: z
      .string()
      .refine((json) => fits(OAuthClients, json), OAUTH_CLIENTS_HINT)
      .default("{}"),
    OIDC: z
      .string()
      .superRefine((json, { addIssue }) => {
        const mistake = openIdMistake(json);
        if (mistake !== null) addIssue(mistake);
      })
      .default("{}"),
    ACCESS_CLIENTS: z
      .string()
      .refine((json) => fits(AccessClients, json), ACCESS_CLIENTS_HINT)
      .default("{}"),
  }),
  d1_databases: z.tuple([
    z.object({
      binding: z.string(),
      database_name: z.string(),
      database_id: z.string().optional(),
      migrations_dir: z.string(),
    }),
  ]),
  vectorize: z.tuple([z.object({ index_name: z.string() })]),
  r2_buckets: z
    .array(z.object({ binding: z.string(), bucket_name: z.string() }))
    .max(1)
    .default([]),
  assets: z.object({ directory: z.string() }),
  routes: z
    .array(z.union([z.string(), z.object({ pattern: z.string(), custom_domain: z.boolean().optional() })]))
    .default([]),
});

export interface DeployConfig {
  name: string;
  accountId: string | undefined;
  /** `id` is usually undefined, so that the same wrangler.toml can be used for every account. */
  database: { binding: string; name: string; id: string | undefined };
  /** In the order in which they are applied. */
  migrations: { name: string; sql: string }[];
  index: { name: string; dimensions: number };
  /** The bucket of the archives; undefined if there is none. */
  bucket: string | undefined;
  assetsDirectory: string;
  customDomains: string[];
  /** Of the settings that can be given in the environment, those in wrangler.toml. */
  ownSettings: string[];
  /** Those in the environment. */
  givenSettings: Record<string, string>;
}

/**
 * @throws {DeployError} If a setting in wrangler.toml or in the environment is missing or invalid.
 * @throws {Error} If wrangler.toml or the directory of the migrations cannot be read.
 */
export function readConfig(
  root: string,
  env: Readonly<Record<string, string | undefined>> = {},
): DeployConfig {
  const toml = parse(readFileSync(join(root, "wrangler.toml"), "utf8")) as { vars?: Record<string, unknown> };
  const givenSettings = Object.fromEntries(
    ENVIRONMENT_SETTINGS.flatMap((name) => (env[name] ? [[name, env[name]]] : [])),
  );
  const { data, error } = Toml.safeParse({ ...toml, vars: { ...toml.vars, ...givenSettings } });
  if (data === undefined) {
    const place =
      Object.keys(givenSettings).length > 0 ? "wrangler.toml or the environment" : "wrangler.toml";
    throw new DeployError(`${place} is not complete.\n${z.prettifyError(error)}`);
  }
  const [database] = data.d1_databases;
  const directory = join(root, database.migrations_dir);
  const migrations = listMigrations(directory).map((name) => ({
    name,
    sql: readFileSync(join(directory, name), "utf8"),
  }));
  return {
    name: data.name,
    accountId: data.account_id,
    database: { binding: database.binding, name: database.database_name, id: database.database_id },
    migrations,
    index: { name: data.vectorize[0].index_name, dimensions: data.vars.EMBEDDING_DIMENSIONS },
    bucket: data.r2_buckets[0]?.bucket_name,
    assetsDirectory: data.assets.directory,
    customDomains: data.routes.flatMap((route) =>
      typeof route === "object" && route.custom_domain === true ? [route.pattern] : [],
    ),
    ownSettings: ENVIRONMENT_SETTINGS.filter((name) => Object.hasOwn(toml.vars ?? {}, name)),
    givenSettings,
  };
}

function fits(schema: z.ZodType, json: string): boolean {
  try {
    return schema.safeParse(JSON.parse(json)).success;
  } catch {
    return false;
  }
}
