import type { CallToolResult } from "@modelcontextprotocol/server";
import { countTokens } from "../text/tokens.ts";
import { pickFields } from "./fields.ts";
import { type Arguments, findMisfit, toRequest } from "./requests.ts";
import { DATA_LABEL, readFailure, toErrorResult, toFailure, toResult } from "./results.ts";
import type { McpTool } from "./tools.ts";

/**
 * Maximum tokens of a result, unless the model itself sets the arguments that limit its size. A model pays for every
 * token that it reads.
 */
export const ANSWER_TOKENS_MAX = 4_000;
const LABEL_TOKENS = countTokens(DATA_LABEL);

export interface CallContext {
  /** Sends a request to the whole service, including its middleware. */
  fetch(request: Request): Promise<Response>;
  origin: string;
  credentials: Record<string, string>;
  /** Id of the MCP request. The API request of the call has an id of its own. */
  requestId: string;
}

export async function callTool(
  tool: McpTool,
  args: Arguments,
  context: CallContext,
): Promise<CallToolResult> {
  const misfit = findMisfit(tool, args);
  if (misfit !== undefined) return toErrorResult(toFailure("validation_failed", misfit, context.requestId));
  let bounds = Object.entries(tool.defaults).filter(([name]) => !Object.hasOwn(args, name));
  for (;;) {
    const bounded = { ...Object.fromEntries(bounds), ...args };
    const response = await context.fetch(toRequest(tool, bounded, context));
    if (!response.ok) return toErrorResult(await readFailure(response, tool));
    const json = await readAnswer(response, tool);
    const tokens = bounds.length === 0 ? 0 : LABEL_TOKENS + countTokens(json);
    if (tokens <= ANSWER_TOKENS_MAX) return toResult(json);
    if (bounds.every(([, bound]) => bound === 1))
      return toErrorResult({ ...tooLarge(tokens, bounds), requestId: context.requestId });
    // A result that is n times too large is requested again with each default divided by n, and by at least 2, so that
    // a few requests are enough to get one that fits.
    const shrink = Math.min(0.5, ANSWER_TOKENS_MAX / tokens);
    bounds = bounds.map(([name, bound]) => [name, Math.max(1, Math.floor(bound * shrink))]);
  }
}

async function readAnswer(response: Response, { gives }: McpTool): Promise<string> {
  const json = await response.text();
  return gives === undefined ? json : JSON.stringify(pickFields(JSON.parse(json), gives));
}

const tooLarge = (tokens: number, bounds: [name: string, bound: number][]) => ({
  code: "answer_too_large",
  detail: `Even the smallest result costs about ${tokens.toLocaleString("en-US")} tokens.`,
  nextStep: `Search for the passage you need, or set ${bounds.map(([name]) => `\`${name}\``).join(", ")} yourself to get the whole result.`,
});
