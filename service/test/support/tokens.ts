import type { Tool } from "@modelcontextprotocol/client";
import { encode } from "gpt-tokenizer/encoding/o200k_base";

/** What a text costs by o200k, GPT's tokenizer. What looks like one of its special tokens is text as any other. */
export const o200kTokens = (text: string): number => encode(text, { disallowedSpecial: new Set() }).length;

/** What tools cost: as a model is shown them, and as they are sent, with titles, hints and the schemas of answers. */
export const tokensOf = (tools: Tool[]) => {
  const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return { shown: o200kTokens(JSON.stringify(shown)), sent: o200kTokens(JSON.stringify(tools)) };
};
