import MarkdownIt from "markdown-it";

/** A block of a text in Markdown. It reaches to where its next sibling starts, or to its parent's end. */
export interface Block {
  kind: "heading" | "prose" | "lines" | "list" | "item";
  /** Where its first line starts, in UTF-16 units. */
  start: number;
  /** The items of a list and the blocks of an item, in order; empty for all others. */
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

// Quotes are left out: a quote is one paragraph for us, and finding its end can take quadratic time.
const markdown = new MarkdownIt("zero").enable(["fence", "heading", "hr", "lheading", "list", "table"]);

/** What a million bytes of lists with lines of 25 bytes come to; more can take seconds and too much memory. */
const TOKENS_MAX = 200_000;

class TooManyTokens extends Error {}

class BoundedState extends markdown.block.State {
  override push(...token: Parameters<InstanceType<typeof markdown.block.State>["push"]>) {
    if (this.tokens.length === TOKENS_MAX) throw new TooManyTokens();
    return super.push(...token);
  }
}

/** The outermost blocks of a text in Markdown, in order; what is beyond the bound belongs to the last of them. */
export function blocksOf(text: string): Block[] {
  // Line ends as the parser knows them, of the same length, so that its offsets are the text's.
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
