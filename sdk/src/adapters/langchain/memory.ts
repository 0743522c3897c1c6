import { type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { type Runnable, RunnableLambda } from "@langchain/core/runnables";
import type { Engram } from "../../engram.ts";
import { wellFormed } from "../../well-formed.ts";
import { checkOwner } from "../owner.ts";
import { type MemoryOptions, type PromptContext, promptContext } from "../prompt-context.ts";

/** How Anthropic's models mark the end of what they should cache. */
interface CacheControl {
  type: "ephemeral";
  ttl?: "5m" | "1h" | undefined;
}

type Block = { type: string; text?: string; cache_control?: CacheControl };

/**
 * Create a runnable that adds memories, and what was said in earlier sessions, to the messages for a model. It stores
 * nothing. Needs the scope `search`. Pipe it into a model, or call it in `prompt` of a LangGraph agent.
 *
 * The messages keep their beginning from call to call, so that the prompt cache of a provider finds it: memories of the
 * user come at the end of the system message. New memories come at their end. If one in them is edited or deleted, the
 * next prompt has no trace of it. What the last message of the user asks for, such as passages of other sessions, comes
 * with that message. The runnable keeps which memories came first in this process, for the last 1,000 users and sessions
 * of the client; without it they begin anew.
 *
 * @param options What to add, as in `engram.context`. `user_id` restricts it to one user. `exceptThreadId` is the session
 *   whose messages are in the prompt already. Default: 2,000 tokens in all, of which memories have at most two fifths if
 *   there are enough passages. With `onError`, the messages stay as they are if Engram fails. `cacheControl`, such as
 *   `{ type: "ephemeral" }`, makes each block of memories a content block and marks the last, as models of Anthropic need.
 *   Other models reject it.
 *
 *   With `layout: "single"`, options are those of `engram.search`, such as `tags_any`. All that is found is one text with
 *   the last message of the user.
 * @throws {TypeError} when `user_id` or `agent_id` is given but undefined, which would search the data of all users.
 * @example
 * ```ts
 * import { HumanMessage, SystemMessage } from "@langchain/core/messages";
 *
 * const memory = engramMemory(engram, { user_id: "maria", exceptThreadId: "chat-19" });
 * const messages = [new SystemMessage("Serve the guests of a hotel."), new HumanMessage("Which soup has nuts?")];
 * const answer = await memory.pipe(model).invoke(messages);
 * console.log(answer.text); // Then the salad.
 * ```
 */
export function engramMemory(
  client: Engram,
  options: MemoryOptions & { cacheControl?: CacheControl | undefined },
): Runnable<BaseMessage[], BaseMessage[]> {
  const { cacheControl, ...others } = checkOwner(options, "search");
  return RunnableLambda.from(async (messages: BaseMessage[], { signal } = {}) => {
    const asked = messages.findLast(isHuman);
    const context = await promptContext(client, wellFormed(asked?.text ?? ""), others, { signal });
    return withContext(messages, context, cacheControl);
  });
}

const isHuman = (message: BaseMessage): boolean => message.getType() === "human";

function withContext(
  messages: BaseMessage[],
  { stable, dynamic }: PromptContext,
  cacheControl: CacheControl | undefined,
): BaseMessage[] {
  const asked = messages.findLastIndex(isHuman);
  const marked = stable.map((text, i): Block => {
    const isLast = i === stable.length - 1;
    return { type: "text", text, ...(isLast && cacheControl && { cache_control: cacheControl }) };
  });
  const unasked: Block[] = dynamic !== "" && asked < 0 ? [{ type: "text", text: dynamic }] : [];
  const blocks = [...marked, ...unasked];
  const turns = messages.map((message, i) =>
    i === asked && dynamic !== ""
      ? new HumanMessage({ ...fieldsOf(message), content: joined([dynamic], message.content, []) } as never)
      : message,
  );
  if (blocks.length === 0) return turns;
  // Models of Anthropic take one system message, at the beginning.
  const [first, ...others] = turns;
  const isSystem = first?.getType() === "system";
  const own = isSystem ? first.content : "";
  const content = cacheControl
    ? [...blocksOf(own), ...blocks]
    : joined(
        [],
        own,
        blocks.map(({ text = "" }) => text),
      );
  const system = new SystemMessage({ ...(isSystem && fieldsOf(first)), content } as never);
  return [system, ...(isSystem ? others : turns)];
}

const fieldsOf = ({ id, name, additional_kwargs, response_metadata }: BaseMessage) => ({
  id,
  name,
  additional_kwargs,
  response_metadata,
});

/** Texts before and after a content. A content that is a text stays one, because some models take no list. */
const joined = (before: string[], content: BaseMessage["content"], after: string[]): string | Block[] =>
  typeof content === "string"
    ? [...before, content, ...after].filter((text) => text !== "").join("\n\n")
    : [...before.flatMap(blocksOf), ...blocksOf(content), ...after.flatMap(blocksOf)];

const blocksOf = (content: BaseMessage["content"]): Block[] =>
  typeof content === "string"
    ? content === ""
      ? []
      : [{ type: "text", text: content }]
    : (content as Block[]);
