/** What o200k, GPT's tokenizer, makes of tools' schemas: 4.5 bytes a token, within 5%, as measured on these very tools. */
export const roughTokens = (value: unknown): number =>
  new TextEncoder().encode(JSON.stringify(value)).byteLength / 4.5;
