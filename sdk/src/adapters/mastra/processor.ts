import { parseMemoryRequestContext } from "@mastra/core/memory";
import type { Processor } from "@mastra/core/processors";
import type { Engram } from "../../engram.ts";
import { readableText } from "../json.ts";
import { checkOwner } from "../owner.ts";
import { inPrompt, lastAsked, type MemoryOptions, promptContext } from "../prompt-context.ts";

/**
 * Create an input processor that adds memories, and what was said in other threads, to the prompt. It stores nothing, and
 * Mastra's memory does not store what it adds. Needs the scope `search`.
 *
 * The prompt keeps its beginning from call to call, so that the prompt cache of a provider finds it: memories of the user
 * come after the agent's instructions, in system messages of their own, the last of which is marked for Anthropic's cache.
 * New memories come at their end. If one in them is edited or deleted, the next prompt has no trace of it. What the last
 * message of the user asks for, such as passages of other threads, comes with that message. The processor keeps which
 * memories came first in this process, for the last 1,000 users and threads of the client; without it they begin anew.
 *
 * @param options What to add, as in `engram.context`. `user_id` is by default Mastra's resource, and `exceptThreadId`, the
 *   thread whose messages are in the prompt already, its thread. Without a resource, `user_id` and `agent_id`, nothing is
 *   added: it would be the data of all users. Default: 2,000 tokens in all, of which memories have at most two fifths if
 *   there are enough passages. With `onError`, the model is called without memories if Engram fails.
 *
 *   With `layout: "single"`, options are those of `engram.search`, such as `tags_any`. All that is found is one text with
 *   the last message of the user.
 * @throws {TypeError} when `user_id` or `agent_id` is given but undefined.
 * @example
 * ```ts
 * import { Agent } from "@mastra/core/agent";
 *
 * const concierge = new Agent({
 *   id: "concierge",
 *   name: "Concierge",
 *   instructions: "Serve the guests of a hotel.",
 *   model,
 *   inputProcessors: [engramMemory(engram, { user_id: "maria" })],
 * });
 * const { text } = await concierge.generate("What dish is there without what I'm allergic to?");
 * console.log(text); // The soup: it has no walnuts.
 * ```
 */
export function engramMemory(client: Engram, options: MemoryOptions = {}) {
  checkOwner(options, "search");
  return {
    id: "engram-memory",
    name: "Engram memory",
    async processLLMRequest({ prompt, requestContext, abortSignal: signal }) {
      const { resourceId, thread } = parseMemoryRequestContext(requestContext) ?? {};
      const own = {
        ...(resourceId !== undefined && options.agent_id === undefined && { user_id: resourceId }),
        ...(thread !== undefined && { exceptThreadId: thread.id }),
        ...options,
      };
      if (own.user_id === undefined && own.agent_id === undefined) return undefined;
      const context = await promptContext(client, readableText(lastAsked(prompt)), own, { signal });
      return { prompt: inPrompt(prompt, context) };
    },
  } satisfies Processor;
}
