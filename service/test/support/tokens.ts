import { Tiktoken } from "js-tiktoken/lite";
import ranks from "js-tiktoken/ranks/o200k_base";

const o200k = new Tiktoken(ranks);

/** What a text costs by o200k, GPT's tokenizer. What looks like one of its special tokens is text as any other. */
export const o200kTokens = (text: string): number => o200k.encode(text, [], []).length;
