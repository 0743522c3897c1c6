import MarkdownIt from "markdown-it";

/** A part of a Markdown text. It ends where the next block starts, or where its parent ends. */
export interface Block {
  kind: "heading" | "prose" | "lines" | "list" | "item";
  /** Offset of the first character, in UTF-16 units. */
  start: number;
  /** The items of a list or the blocks of an item; empty for all other kinds. */
  blocks: Block[];
}

const KINDS: Partial<Record<string, Block["kind"]>> = {
  bullet_list_open: "list",
  fence: "lines",
  heading_open: "heading",
  hr: "prose",
  list_item_open: "item",
  ordered_list_open: "list",
  paragraph_open: "prose",
  table_open: "lines",
};

// Block quotes are off, because finding their end can need quadratic time. A quote is treated as one paragraph.
const markdown = new MarkdownIt("zero").enable(["fence", "heading", "hr", "lheading", "list", "table"]);

/**
 * Maximum tokens of the parser. A million bytes of lists with lines of 25 bytes have this number. More would need
 * seconds and too much memory.
 */
const TOKENS_MAX = 200_000;

class TooManyTokens extends Error {}

class BoundedState extends markdown.block.State {
  override push(...token: Parameters<InstanceType<typeof markdown.block.State>["push"]>) {
    if (this.tokens.length === TOKENS_MAX) throw new TooManyTokens();
    return super.push(...token);
  }
}

/** The blocks of a Markdown text. Text beyond `TOKENS_MAX` belongs to the last block. */
export function blocksOf(text: string): Block[] {
  // Replaces line ends by text of the same length, so that the parser's offsets are also valid in the original text.
  const state = new BoundedState(text.replaceAll("\r\n", " \n").replaceAll("\r", "\n"), markdown, {}, []);
  try {
    markdown.block.tokenize(state, 0, state.lineMax);
  } catch (error) {
    if (!(error instanceof TooManyTokens)) throw error;
  }
  const outermost: Block[] = [];
  const open: { level: number; blocks: Block[] }[] = [];
  for (const { type, level, map } of state.tokens) {
    const kind = KINDS[type];
    const start = map && state.bMarks[map[0]];
    if (kind === undefined || start == null) continue;
    while ((open.at(-1)?.level ?? -1) >= level) open.pop();
    const block: Block = { kind, start, blocks: [] };
    (open.at(-1)?.blocks ?? outermost).push(block);
    open.push({ level, blocks: block.blocks });
  }
  return outermost;
}
