import MarkdownIt, { type Token } from "markdown-it";
import type { ComponentChildren, VNode } from "preact";
import { createElement } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Pieces, Prose, Text } from "./text.tsx";

/** Characters of a text above which it is shown as it is stored: parsing more would hold up the list. */
const PARSED_MAX = 20_000;
const NESTING_MAX = 20;

/** `html: false` leaves markup in the text, as text. */
const parser = new MarkdownIt({ html: false, linkify: false, typographer: false });
parser.set({ maxNesting: NESTING_MAX });

/**
 * The elements that Markdown may become. Nothing else of a parsed text becomes an element, and no attribute of it but
 * the number of a list is used. A heading is a paragraph, because it is no heading of the page.
 */
const ELEMENTS: Record<string, string> = {
  paragraph: "p",
  heading: "p",
  blockquote: "blockquote",
  bullet_list: "ul",
  ordered_list: "ol",
  list_item: "li",
  table: "table",
  thead: "thead",
  tbody: "tbody",
  tr: "tr",
  th: "th",
  td: "td",
  em: "em",
  strong: "strong",
  s: "s",
};

/** Stored text, formatted as Markdown. It fetches nothing: links and images are text until the user asks for them. */
export function Markdown({ of: text }: { of: string }) {
  const tokens = useMemo(() => parsed(text), [text]);
  return tokens === null ? <Prose of={text} /> : <div class="markdown">{rendered(tokens)}</div>;
}

/** Null if the text is too long, or nested too deep. */
function parsed(text: string): Token[] | null {
  if (text.length > PARSED_MAX) return null;
  try {
    return parser.parse(text, {});
  } catch {
    return null;
  }
}

function rendered(tokens: readonly Token[], isInLink = false): ComponentChildren[] {
  const shown: ComponentChildren[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as Token;
    if (token.nesting !== 1) {
      shown.push(leaf(token, isInLink, i));
      continue;
    }
    const end = closing(tokens, i);
    shown.push(branch(token, tokens.slice(i + 1, end), isInLink, i));
    i = end;
  }
  return shown;
}

/** Index of the token that closes the one at `start`. */
function closing(tokens: readonly Token[], start: number): number {
  let depth = 0;
  for (let i = start; i < tokens.length; i++) {
    depth += tokens[i]?.nesting ?? 0;
    if (depth === 0) return i;
  }
  return tokens.length;
}

function branch(token: Token, inner: readonly Token[], isInLink: boolean, key: number): ComponentChildren {
  const name = token.type.replace(/_open$/, "");
  if (name === "link" && !isInLink)
    return (
      <Reference key={key} url={String(token.attrGet("href") ?? "")}>
        {rendered(inner, true)}
      </Reference>
    );
  const children = rendered(inner, isInLink);
  // An empty cell is the heading of nothing.
  const isEmptyHeading = name === "th" && inner.every(({ content }) => content === "");
  const element =
    token.hidden || !Object.hasOwn(ELEMENTS, name) ? undefined : isEmptyHeading ? "td" : ELEMENTS[name];
  if (element === undefined) return children;
  const attributes = {
    key,
    ...(name === "heading" && { class: "heading" }),
    ...(name === "ordered_list" && { start: Number(token.attrGet("start") ?? 1) }),
    ...(token.block && { dir: "auto" }),
  };
  return createElement(element, attributes, children);
}

function leaf(token: Token, isInLink: boolean, key: number): ComponentChildren {
  const { type, content, children } = token;
  if (type === "inline") return rendered(children ?? [], isInLink);
  if (type === "softbreak") return "\n";
  if (type === "hardbreak") return <br key={key} />;
  if (type === "hr") return <hr key={key} />;
  if (type === "code_inline")
    return (
      <code key={key}>
        <Pieces of={content} />
      </code>
    );
  if (type === "fence" || type === "code_block") return <Code key={key} of={content} />;
  if (type === "image" && !isInLink)
    return (
      <Reference key={key} url={String(token.attrGet("src") ?? "")}>
        <Pieces of={content || "image"} />
      </Reference>
    );
  return <Pieces key={key} of={content} />;
}

function Code({ of: text }: { of: string }): VNode {
  return (
    // Reachable by keyboard because it scrolls.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content
    <pre tabIndex={0}>
      <Text of={text} />
    </pre>
  );
}

const FOLLOWED = new Set(["http:", "https:", "mailto:"]);

/**
 * A link or an image. The first click shows where it leads, the second one goes there, in another tab. An image is a
 * link, too, because the page loads nothing of another origin.
 */
function Reference({ url, children }: { url: string; children: ComponentChildren }) {
  const [isShown, setShown] = useState(false);
  if (!isShown)
    return (
      <button type="button" class="link" onClick={() => setShown(true)}>
        {children}
      </button>
    );
  return (
    <>
      {children} (
      {FOLLOWED.has(URL.parse(url)?.protocol ?? "") ? (
        <a href={url} target="_blank" rel="noopener noreferrer">
          <Text of={url} />
        </a>
      ) : (
        <Text of={url} />
      )}
      )
    </>
  );
}
