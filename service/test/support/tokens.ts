import type { Tool } from "@modelcontextprotocol/client";
import { encode } from "gpt-tokenizer/encoding/o200k_base";

/**
 * The cost of a text in tokens of o200k, GPT's tokenizer. Text that looks like a special token counts as
 * plain text.
 */
export const o200kTokens = (text: string): number => encode(text, { disallowedSpecial: new Set() }).length;

/**
 * The cost of tools in tokens: `shown` is what a model sees; `sent` adds titles, hints and output schemas.
 */
export const tokensOf = (tools: Tool[]) => {
  const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return { shown: o200kTokens(JSON.stringify(shown)), sent: o200kTokens(JSON.stringify(tools)) };
};
