import { METADATA_INDEXES } from "@engram/local/indexed-values";
import { z } from "zod";
import type { Context } from "./context.ts";
import { DeployError } from "./deploy-error.ts";
import { failed, readJson, runWrangler } from "./wrangler.ts";

/** The service computes its scores from cosine similarities. */
const METRIC = "cosine";

/** Vectorize lists a metadata index only some time after the request to create it. */
const LISTED_WAIT_MS = 300_000;
/**
 * Used if Vectorize rejects a request: an interrupted run may have requested the same index shortly before,
 * and Vectorize may still list it.
 */
const REFUSED_WAIT_MS = 30_000;
const POLL_MS = 2_000;

const Indexes = z.array(
  z.object({ name: z.string(), config: z.object({ dimensions: z.number(), metric: z.string() }) }),
);
const Info = z.object({ vectorCount: z.number() });
const MetadataIndexes = z.array(z.object({ propertyName: z.string(), indexType: z.string() }));

export interface VectorIndex {
  vectorCount: number;
  /** Properties that have a metadata index. */
  properties: ReadonlySet<string>;
}

/**
 * Undefined if the account has no Vectorize index of the configured name.
 *
 * @throws {DeployError} If the index has another number of dimensions or another metric, or a metadata index has
 * another type of values than Engram stores.
 */
export async function readVectorIndex(ctx: Context): Promise<VectorIndex | undefined> {
  const { wrangler, config } = ctx;
  const { name, dimensions } = config.index;
  const all = await readJson(wrangler, ["vectorize", "list", "--json"], Indexes);
  const found = all.find((each) => each.name === name)?.config;
  if (found === undefined) return undefined;
  if (found.dimensions !== dimensions || found.metric !== METRIC) {
    throw new DeployError(
      `The Vectorize index ${name} has ${found.dimensions} dimensions and the metric ${found.metric}, ` +
        `but Engram needs ${dimensions} dimensions, ${METRIC} (EMBEDDING_DIMENSIONS in wrangler.toml). An index cannot be changed.\n` +
        "Either set EMBEDDING_MODEL and EMBEDDING_DIMENSIONS to what its vectors were made with,\n" +
        "or name another index in wrangler.toml (index_name), which the next run creates.",
    );
  }
  const [{ vectorCount }, types] = await Promise.all([
    readJson(wrangler, ["vectorize", "info", name, "--json"], Info),
    readMetadataIndexes(ctx),
  ]);
  for (const [property, type] of types) {
    const wanted = METADATA_INDEXES[property];
    if (wanted === undefined || wanted === type) continue;
    throw new DeployError(
      `The metadata index ${property} of ${name} holds values of type ${type}, but Engram stores ${wanted}s.\n` +
        `Delete it, and the next run creates it again: npx wrangler vectorize delete-metadata-index ${name} --propertyName=${property}`,
    );
  }
  return { vectorCount, properties: new Set(types.keys()) };
}

/** Creates the index and its metadata indexes, as far as they are missing. */
export async function createVectorIndex(
  ctx: Context,
  index: VectorIndex | undefined,
  { holdsMessages }: { holdsMessages: boolean },
): Promise<void> {
  const { wrangler, progress } = ctx;
  const { name, dimensions } = ctx.config.index;
  const shape = `${dimensions} dimensions, ${METRIC}`;
  if (index !== undefined) {
    await progress.step("Vectorize index", `${name} is there, ${shape}, ${index.vectorCount} vectors`);
  } else {
    if (holdsMessages)
      progress.note(howToReindex("Messages that are stored already are not in the new index."));
    await progress.step("Vectorize index", `create ${name}, ${shape}`, async () => {
      const options = [`--dimensions=${dimensions}`, `--metric=${METRIC}`, "--json"];
      await runWrangler(wrangler, ["vectorize", "create", name, ...options]);
      return `${name} created, ${shape}`;
    });
  }
  await createMetadataIndexes(ctx, index);
}

/** A filter finds only vectors that were stored after the metadata index of its property was created. */
async function createMetadataIndexes(ctx: Context, index: VectorIndex | undefined): Promise<void> {
  const { progress } = ctx;
  const all = Object.keys(METADATA_INDEXES);
  const missing = all.filter((property) => !index?.properties.has(property));
  if (missing.length === 0) return progress.step("Metadata indexes", `${all.join(", ")} are there`);
  const vectors = index?.vectorCount ?? 0;
  if (vectors > 0)
    progress.note(
      howToReindex(`A new metadata index does not hold the ${vectors} vectors that are stored already.`),
    );
  await progress.step("Metadata indexes", `create ${missing.join(", ")}`, async () => {
    await createAndWait(ctx, missing);
    return `${missing.join(", ")} created`;
  });
}

/**
 * Creates metadata indexes and resolves when Vectorize lists all of them.
 *
 * @throws {DeployError} If Vectorize does not list them in time, with wrangler's output if a request failed.
 */
async function createAndWait(ctx: Context, properties: string[]): Promise<void> {
  const { name } = ctx.config.index;
  let refused: DeployError | undefined;
  for (const property of properties) {
    const type = `--type=${METADATA_INDEXES[property]}`;
    const args = ["vectorize", "create-metadata-index", name, `--propertyName=${property}`, type];
    const result = await ctx.wrangler(args);
    if (result.code !== 0) refused ??= failed(args, result);
  }
  const waitMs = refused === undefined ? LISTED_WAIT_MS : REFUSED_WAIT_MS;
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const listed = await readMetadataIndexes(ctx);
    const missing = properties.filter((property) => !listed.has(property));
    if (missing.length === 0) return;
    if (waitedMs >= waitMs) {
      throw (
        refused ?? new DeployError(`Vectorize has not made ${missing.join(", ")} in ${waitMs / 1_000} s.`)
      );
    }
    await ctx.sleep(POLL_MS);
  }
}

async function readMetadataIndexes({ wrangler, config }: Context): Promise<Map<string, string>> {
  const args = ["vectorize", "list-metadata-index", config.index.name, "--json"];
  const indexes = await readJson(wrangler, args, MetadataIndexes);
  return new Map(indexes.map(({ propertyName, indexType }) => [propertyName, indexType.toLowerCase()]));
}

function howToReindex(why: string): string {
  return [
    `${why} To store them again after this run, POST /v1/index/repair`,
    'with a key of each organization, or see "Rebuild the index" in docs/deploy.md.',
  ].join("\n");
}
