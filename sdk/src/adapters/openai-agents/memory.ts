import type { AgentInputItem, Model, ModelRequest } from "@openai/agents-core";
import type { Engram } from "../../engram.ts";
import { readableText } from "../json.ts";
import { checkOwner } from "../owner.ts";
import { type MemoryOptions, promptContext } from "../prompt-context.ts";

/**
 * Create a function that gives memories, and what was said in earlier sessions, to a model with each request. It stores
 * nothing, and no session stores what it adds. Needs the scope `search`.
 *
 * The prompt keeps its beginning from call to call, so that OpenAI's prompt cache finds it: memories of the user come
 * after the instructions. New memories come at their end. If one in them is edited or deleted, the next prompt has no
 * trace of it. What the last message of the user asks for, such as passages of other sessions, comes with that message.
 * The function keeps which memories came first in this process, for the last 1,000 users and sessions of the client;
 * without it they begin anew.
 *
 * @param options What to add, as in `engram.context`. `user_id` restricts it to one user. `exceptThreadId` is the session
 *   whose items are in the prompt already. Default: 2,000 tokens in all, of which memories have at most two fifths if
 *   there are enough passages. With `onError`, the model is called without memories if Engram fails.
 *
 *   With `layout: "single"`, options are those of `engram.search`, such as `tags_any`. All that is found is one text with
 *   the last message of the user.
 * @throws {TypeError} when `user_id` or `agent_id` is given but undefined, which would search the data of all users.
 * @example
 * ```ts
 * import { Agent, run } from "@openai/agents-core";
 *
 * // Of OpenAI, `model` is `await new OpenAIProvider().getModel("gpt-5.2")`.
 * const remember = engramMemory(engram, { user_id: "maria", exceptThreadId: "chat-19" });
 * const agent = new Agent({ name: "Concierge", model: remember(model) });
 * const { finalOutput } = await run(agent, "What dish is there without what I'm allergic to?");
 * console.log(finalOutput); // The soup: it has no walnuts.
 * ```
 */
export function engramMemory(client: Engram, options: MemoryOptions): (model: Model) => Model {
  checkOwner(options, "search");
  const withContext = async (request: ModelRequest): Promise<ModelRequest> => {
    const input = typeof request.input === "string" ? [asked(request.input)] : request.input;
    const last = input.findLastIndex(isAsked);
    const question = input[last];
    const text = question !== undefined && isAsked(question) ? readableText(question.content) : "";
    const { stable, dynamic } = await promptContext(client, text, options, { signal: request.signal });
    const instructions = [request.systemInstructions ?? "", ...stable, ...(last < 0 ? [dynamic] : [])];
    return {
      ...request,
      ...(stable.length + dynamic.length > 0 && {
        systemInstructions: instructions.filter((block) => block !== "").join("\n\n"),
        input: input.map((item, i) =>
          i === last && isAsked(item) && dynamic !== "" ? withText(item, dynamic) : item,
        ),
      }),
    };
  };
  return (model) => ({
    ...(model.supportsPromptModelSelection !== undefined && {
      supportsPromptModelSelection: model.supportsPromptModelSelection,
    }),
    getResponse: async (request) => model.getResponse(await withContext(request)),
    async *getStreamedResponse(request) {
      yield* model.getStreamedResponse(await withContext(request));
    },
    ...(model.getRetryAdvice !== undefined && { getRetryAdvice: model.getRetryAdvice.bind(model) }),
  });
}

type Asked = Extract<AgentInputItem, { role: "user" }>;

const asked = (content: string): Asked => ({ type: "message", role: "user", content });
const isAsked = (item: AgentInputItem): item is Asked => "role" in item && item.role === "user";

function withText(item: Asked, text: string): Asked {
  const own =
    typeof item.content === "string" ? [{ type: "input_text" as const, text: item.content }] : item.content;
  return { ...item, content: [{ type: "input_text", text }, ...own] };
}
