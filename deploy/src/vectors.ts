import { METADATA_INDEXES } from "@engram/local/indexed-values";
import { z } from "zod";
import { DeployError } from "./deploy-error.ts";
import type { Step, StepContext } from "./steps.ts";
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
  dimensions: number;
  metric: string;
  vectorCount: number;
  metadataIndexes: Map<string, string>;
}

/** Undefined if the account has no Vectorize index of the configured name. */
export async function readVectorIndex(ctx: StepContext): Promise<VectorIndex | undefined> {
  const { wrangler, config } = ctx;
  const { name } = config.index;
  const all = await readJson(wrangler, ["vectorize", "list", "--json"], Indexes);
  const index = all.find((each) => each.name === name);
  if (index === undefined) return undefined;
  const [{ vectorCount }, metadataIndexes] = await Promise.all([
    readJson(wrangler, ["vectorize", "info", name, "--json"], Info),
    readMetadataIndexes(ctx),
  ]);
  return { ...index.config, vectorCount, metadataIndexes };
}

/** @throws {DeployError} If the existing index has another number of dimensions or another metric. */
export function indexStep(
  { wrangler, config }: StepContext,
  input: { index: VectorIndex | undefined; holdsMessages: boolean },
): Step {
  const title = "Vectorize index";
  const { name, dimensions } = config.index;
  const shape = `${dimensions} dimensions, ${METRIC}`;
  if (input.index === undefined) {
    return {
      title,
      text: `create ${name}, ${shape}`,
      note: input.holdsMessages
        ? howToReindex("Messages that are stored already are not in the new index.")
        : undefined,
      async change() {
        const args = [
          "vectorize",
          "create",
          name,
          `--dimensions=${dimensions}`,
          `--metric=${METRIC}`,
          "--json",
        ];
        await runWrangler(wrangler, args);
        return `${name} created, ${shape}`;
      },
    };
  }
  if (input.index.dimensions !== dimensions || input.index.metric !== METRIC) {
    throw new DeployError(
      `The Vectorize index ${name} has ${input.index.dimensions} dimensions and the metric ${input.index.metric}, ` +
        `but Engram needs ${shape} (EMBEDDING_DIMENSIONS in wrangler.toml). An index cannot be changed.\n` +
        "Either set EMBEDDING_MODEL and EMBEDDING_DIMENSIONS to what its vectors were made with,\n" +
        "or name another index in wrangler.toml (index_name), which the next run creates.",
    );
  }
  return { title, text: `${name} is there, ${shape}, ${input.index.vectorCount} vectors` };
}

/**
 * Returns the step that creates missing metadata indexes. A filter finds only vectors that were stored after
 * the metadata index of its property was created.
 *
 * @throws {DeployError} If an existing metadata index has another type of values than Engram stores.
 */
export function metadataIndexesStep(ctx: StepContext, index: VectorIndex | undefined): Step {
  const title = "Metadata indexes";
  const { name } = ctx.config.index;
  for (const [property, type] of index?.metadataIndexes ?? []) {
    const wanted = METADATA_INDEXES[property];
    if (wanted === undefined || wanted === type) continue;
    throw new DeployError(
      `The metadata index ${property} of ${name} holds values of type ${type}, but Engram stores ${wanted}s.\n` +
        `Delete it, and the next run creates it again: npx wrangler vectorize delete-metadata-index ${name} --propertyName=${property}`,
    );
  }
  const missing = Object.keys(METADATA_INDEXES).filter((property) => !index?.metadataIndexes.has(property));
  if (missing.length === 0) return { title, text: `${Object.keys(METADATA_INDEXES).join(", ")} are there` };
  const vectors = index?.vectorCount ?? 0;
  return {
    title,
    text: `create ${missing.join(", ")}`,
    note:
      vectors === 0
        ? undefined
        : howToReindex(`A new metadata index does not hold the ${vectors} vectors that are stored already.`),
    async change() {
      await createMetadataIndexes(ctx, missing);
      return `${missing.join(", ")} created`;
    },
  };
}

/**
 * Creates metadata indexes and resolves when Vectorize lists all of them.
 *
 * @throws {DeployError} If Vectorize does not list them in time, with wrangler's output if a request failed.
 */
async function createMetadataIndexes(ctx: StepContext, properties: string[]): Promise<void> {
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

async function readMetadataIndexes({ wrangler, config }: StepContext): Promise<Map<string, string>> {
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
