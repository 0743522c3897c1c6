import { type Fields, fieldsOf, joinTexts, listOf, textOf } from "./values.ts";

/** Types of blocks that Claude and Claude Code write. The text of those in the first line is content, others are parts. */
export const CLAUDE_BLOCKS: ReadonlySet<unknown> = new Set([
  ...["text", "tool_use", "tool_result"],
  ...["thinking", "redacted_thinking", "image", "document", "flag", "token_budget", "injected_prompt_block"],
  ...["server_tool_use", "web_search_tool_result", "tool_reference", "voice_note", "fallback"],
]);

export interface ClaudeContent {
  text: string;
  /** True if all blocks are text. The message then needs no `parts`, the copy of the original blocks. */
  isPlain: boolean;
  isToolResult: boolean;
  toolCallId?: unknown;
  toolName?: unknown;
}

/** `callText` returns the text of a tool call that belongs to the message. */
export function readClaudeContent(
  content: unknown,
  callText: (input: Fields) => string = () => "",
): ClaudeContent {
  if (typeof content === "string") return { text: content, isPlain: true, isToolResult: false };
  const blocks = listOf(content).map(fieldsOf);
  const ofType = (type: string) => blocks.filter((block) => block.type === type);
  const [call] = ofType("tool_use");
  const [result] = ofType("tool_result");
  return {
    text: joinTexts(
      blocks.map((block) => {
        if (block.type === "tool_result") return resultText(block.content);
        return block.type === "tool_use" ? callText(fieldsOf(block.input)) : block.text;
      }),
    ),
    isPlain: ofType("text").length === blocks.length,
    isToolResult: blocks.length > 0 && ofType("tool_result").length === blocks.length,
    toolCallId: call?.id ?? result?.tool_use_id,
    toolName: call?.name ?? result?.name,
  };
}

const resultText = (content: unknown): string =>
  textOf(content) ?? joinTexts(listOf(content).map((block) => fieldsOf(block).text));
