import { fieldsOf, joinTexts, listOf, textOf } from "./values.ts";

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

export function readClaudeContent(content: unknown): ClaudeContent {
  if (typeof content === "string") return { text: content, isPlain: true, isToolResult: false };
  const blocks = listOf(content).map(fieldsOf);
  const ofType = (type: string) => blocks.filter((block) => block.type === type);
  const [call] = ofType("tool_use");
  const [result] = ofType("tool_result");
  return {
    text: joinTexts(
      blocks.map((block) => (block.type === "tool_result" ? resultText(block.content) : block.text)),
    ),
    isPlain: ofType("text").length === blocks.length,
    isToolResult: blocks.length > 0 && ofType("tool_result").length === blocks.length,
    toolCallId: call?.id ?? result?.tool_use_id,
    toolName: call?.name ?? result?.name,
  };
}

const resultText = (content: unknown): string =>
  textOf(content) ?? joinTexts(listOf(content).map((block) => fieldsOf(block).text));
