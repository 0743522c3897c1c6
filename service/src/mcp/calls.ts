import {
  type ContextAnswer,
  KEEP_BEST_FOR_MODELS,
  type MemorySearchAnswer,
  type SearchAnswer,
} from "@engram/spec";
import type { CallToolResult } from "@modelcontextprotocol/server";
import { ApiError } from "../errors.ts";
import { DATA_LABEL } from "../text/message-lines.ts";
import { countModelTokens, toModelTokens } from "../text/model-tokens.ts";
import type { Pace } from "../text/pace.ts";
import { type Arguments, readArguments } from "./arguments.ts";
import { BLOCK_TOKENS_MIN, textTokens, toBlockResult } from "./blocks.ts";
import { pickFields } from "./fields.ts";
import { toLines } from "./lines.ts";
import { toMemories } from "./memories.ts";
import { findMisfit, toRequest } from "./requests.ts";
import { readFailure, toErrorResult, toFailure, toResult } from "./results.ts";
import type { McpTool } from "./tools.ts";

/**
 * Maximum tokens of a result, unless the model itself sets the arguments that limit its size. A model pays for every
 * token that it reads.
 */
export const ANSWER_TOKENS_MAX = 4_000;
const LABEL_TOKENS = countModelTokens(DATA_LABEL);
/** Tokens of a larger result are not counted. */
const COUNTED_TOKENS_MAX = 100_000;

export interface CallContext {
  /** Sends a request to the whole service, including its middleware. */
  fetch(request: Request): Promise<Response>;
  origin: string;
  /** Lets other requests run while the tokens of a result are counted. */
  pace: Pace;
  credentials: Record<string, string>;
  /** Id of the MCP request. The API request of the call has an id of its own. */
  requestId: string;
}

export async function callTool(
  tool: McpTool,
  sent: Arguments,
  context: CallContext,
): Promise<CallToolResult> {
  let args: Arguments;
  try {
    args = readArguments(tool, sent);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return toErrorResult(toFailure(error.code, error.message, context.requestId));
  }
  const misfit = findMisfit(tool, args);
  if (misfit !== undefined) return toErrorResult(toFailure("validation_failed", misfit, context.requestId));
  if (tool.block) return callContext(tool, args, context);
  if (Object.hasOwn(tool.defaults, "max_tokens")) return callSearch(tool, args, context);
  let bounds = Object.entries(tool.defaults).filter(([name]) => !Object.hasOwn(args, name));
  for (;;) {
    const bounded = { ...Object.fromEntries(bounds), ...args };
    const response = await context.fetch(toRequest(tool, bounded, context));
    if (!response.ok) return toErrorResult(await readFailure(response, tool));
    const isWhole = bounds.every(([name, bound]) => bound === tool.defaults[name]);
    const answer = await readAnswer(response, tool);
    const json = JSON.stringify(isWhole ? answer : { ...answer, shortened: shortened(bounds) });
    const tokens = bounds.length === 0 ? 0 : LABEL_TOKENS + (await countTokens(json, context));
    if (tokens <= ANSWER_TOKENS_MAX) return toResult(json);
    if (bounds.every(([, bound]) => bound === 1))
      return toErrorResult({ ...tooLarge(tokens, bounds), requestId: context.requestId });
    // A result that is n times too large is requested again with each default divided by n, and by at least 2, so that
    // a few requests are enough to get one that fits.
    const shrink = Math.min(0.5, ANSWER_TOKENS_MAX / tokens);
    bounds = bounds.map(([name, bound]) => [name, Math.max(1, Math.floor(bound * shrink))]);
  }
}

/**
 * The API counts only the content of results in `max_tokens`, so its answer has all that can fit the tool's, which
 * counts everything that the model reads.
 */
async function callSearch(tool: McpTool, args: Arguments, context: CallContext): Promise<CallToolResult> {
  const bounded: Arguments = { ...tool.defaults, ...args };
  // A minimum that the model sets is exact.
  const keep_best = Object.hasOwn(args, "min_relevance") ? 0 : KEEP_BEST_FOR_MODELS;
  const request = toRequest({ ...tool, sends: { ...tool.sends, keep_best } }, bounded, context);
  const response = await context.fetch(request);
  if (!response.ok) return toErrorResult(await readFailure(response, tool));
  const tokensMax = Number(bounded.max_tokens) - LABEL_TOKENS;
  const minRelevance = Number(bounded.min_relevance);
  const answer: unknown = await response.json();
  const fitting = await context.pace.run(
    tool.lines
      ? toLines(answer as SearchAnswer, tokensMax, minRelevance)
      : toMemories(answer as MemorySearchAnswer, tokensMax, minRelevance, tool.gives),
  );
  if (fitting === null) {
    const detail = `\`max_tokens\`: An answer without results costs more than ${bounded.max_tokens} tokens.`;
    return toErrorResult(toFailure("validation_failed", detail, context.requestId));
  }
  return toResult(fitting.json, fitting.text);
}

/** The API limits the text, so it is asked for a text that fits with all else that the model reads. */
async function callContext(tool: McpTool, args: Arguments, context: CallContext): Promise<CallToolResult> {
  const bounded: Arguments = { ...tool.defaults, ...args };
  const tokensMax = Number(bounded.max_tokens) - LABEL_TOKENS;
  if (tokensMax < BLOCK_TOKENS_MIN) {
    const detail = `\`max_tokens\`: Must be at least ${BLOCK_TOKENS_MIN + LABEL_TOKENS}.`;
    return toErrorResult(toFailure("validation_failed", detail, context.requestId));
  }
  const response = await context.fetch(
    toRequest(tool, { ...bounded, max_tokens: textTokens(tokensMax) }, context),
  );
  if (!response.ok) return toErrorResult(await readFailure(response, tool));
  const { json, text } = toBlockResult((await response.json()) as ContextAnswer);
  return toResult(json, text);
}

async function readAnswer(response: Response, { gives }: McpTool): Promise<Record<string, unknown>> {
  const answer = (await response.json()) as Record<string, unknown>;
  return gives === undefined ? answer : pickFields(answer, gives);
}

const countTokens = async (json: string, { pace }: CallContext): Promise<number> =>
  Math.min(COUNTED_TOKENS_MAX, await pace.run(toModelTokens(json, COUNTED_TOKENS_MAX)));

const shortened = (bounds: [name: string, bound: number][]) =>
  `To fit ${ANSWER_TOKENS_MAX.toLocaleString("en-US")} tokens, ${bounds.map(([name, bound]) => `\`${name}\` was ${bound}`).join(", ")}. Read on after the last item.`;

const tooLarge = (tokens: number, bounds: [name: string, bound: number][]) => ({
  code: "answer_too_large",
  detail: `Even the smallest result costs ${tokens >= COUNTED_TOKENS_MAX ? "more than" : "about"} ${tokens.toLocaleString("en-US")} tokens.`,
  nextStep: `Search for the passage you need, or set ${bounds.map(([name]) => `\`${name}\``).join(", ")} yourself to get the whole result.`,
});
