import type { Steps } from "../pace.ts";
import type { Span } from "./kinds.ts";
import { VERSIONED } from "./products.ts";
import { PROGRAMS, SESSIONS, SHELLS, WRAPPERS } from "./programs.ts";

/** Reading a pair of backticks takes as long as reading this number of characters. */
const PAIR_CHARACTERS = 16;
/** Length of the part of a code block that decides whether its commands have prompts. */
const BLOCK_CHARACTERS_MAX = 1_000;
/** What programs print: "npm ERR! code", "git version 2.43.0", "node is running". */
const OUTPUT = /^\S+\s+(?:ERR!|(?:WARN|error|warning|notice|info|version|is|was|has|v?\d+)\b)/i;
/** A longer line is data. */
const COMMAND_CHARACTERS_MAX = 1_000;
const PROMPT =
  /^\s{0,20}(?:(?:\([\w.-]{1,40}\) )?(?:[\w.-]{1,40}@[\w.-]{1,60}[: ]?[~\w./-]{0,80}|~[\w./-]{0,80})?\s?[$%❯#]|PS [A-Z]:\\[^>]{0,100}>|[A-Z]:\\[^>]{0,100}>|❯|➜\s{1,4}\S{1,40}) {1,4}(?=\S)/;
/** Signs that end a prompt. Most lines have none. */
const PROMPT_SIGN = /[$%❯#>➜] /;
const ASSIGNMENTS = /^(?:[A-Z_][A-Z0-9_]*=(?:"[^"]{0,200}"|'[^']{0,200}'|[^\s"']{0,200}) +){1,8}/;
const FIRST_WORD = /^[\w./~+-]{1,100}/;
/** Lines of a shell script that belong to the command before them. */
const KEYWORD_LINE = /^(?:#|(?:done|fi|esac|then|else|do)\b\s*;?$)/;
/** The text that follows a command up to a line with this word. */
const HERE_DOCUMENT = /<<-?\s*["']?(\w{1,40})/;
/** Before a minus in programs, such as `return -EINVAL`. */
const KEYWORDS = new Set(
  "return if while for let const var case and or not in is yield throw select where x y".split(" "),
);
/** A program of PowerShell. */
const CMDLET = /^[A-Z][a-z]+-[A-Z]\w+$/;
const FLAG = /\s--?[A-Za-z]/;
const FENCE_CHARACTERS_MAX = 60;
const FENCE = /^\s{0,8}(?:```+|~~~+)\s*([\w-]*)[^`]*$/;

export interface Line {
  /** Offset of the line in the text. */
  start: number;
  source: string;
  /** Whether the line is part of a code block, or a command. */
  isCode: boolean;
  /** As offsets in the text. Without those in backticks. */
  commands: Span[];
  /** Length of the prompt at the start of the line. */
  promptLength: number;
}

interface Command extends Span {
  prompt?: string;
}

interface Block {
  language: string;
  /** Whether only lines with a prompt are commands. */
  hasPrompts: boolean;
  startsWithProgram: boolean;
  /** The word that ends the text that follows a command. */
  textEnd?: string | undefined;
}

/** Lines of a text with the commands in them. Leaves out empty lines. The marks of code blocks are empty code. */
export function* readLines(text: string): Generator<Line> {
  let block: Block | undefined;
  let isContinued = false;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const source = text.slice(start, end);
    const fence = end > start ? FENCE.exec(source.slice(0, FENCE_CHARACTERS_MAX)) : null;
    if (fence !== null) {
      block = block === undefined ? openBlock(text, end + 1, fence[1] ?? "") : undefined;
      isContinued = false;
      yield { start, source: "", isCode: true, commands: [], promptLength: 0 };
    } else if (end > start) {
      const command = commandOfLine(source, block, isContinued);
      isContinued = command !== undefined && source.charAt(command.end - 1) === "\\";
      const isCode = block !== undefined || command !== undefined;
      yield {
        start,
        source,
        isCode,
        commands: command === undefined ? [] : [shift(command, start)],
        promptLength: command?.prompt?.length ?? 0,
      };
    }
    start = end + 1;
  }
}

export const shift = ({ start, end }: Span, by: number): Span => ({ start: start + by, end: end + by });

function openBlock(text: string, start: number, language: string): Block {
  const [firstLine = ""] = text.slice(start, start + BLOCK_CHARACTERS_MAX).split("\n", 1);
  return {
    language: language.toLowerCase(),
    hasPrompts: hasPrompts(text, start),
    startsWithProgram: startsWithProgram(firstLine.trim()),
  };
}

/** Whether a line near the start of a code block has a prompt. Reads no further than the block. */
function hasPrompts(text: string, from: number): boolean {
  const limit = Math.min(text.length, from + BLOCK_CHARACTERS_MAX);
  for (let start = from; start < limit; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? limit : Math.min(newline, limit);
    const line = text.slice(start, end);
    if (FENCE.test(line.slice(0, FENCE_CHARACTERS_MAX))) return false;
    if (promptOf(line) !== "") return true;
    start = end + 1;
  }
  return false;
}

/** A line that is a command: in a block of a shell, or after a prompt. */
function commandOfLine(source: string, block: Block | undefined, isContinued: boolean): Command | undefined {
  if (source.length > COMMAND_CHARACTERS_MAX) return undefined;
  const prompt = promptOf(source);
  if (prompt === "" && block === undefined) return undefined;
  const line = source.trimEnd();
  const command = line.slice(prompt.length).trimStart();
  if (command === "") return undefined;
  const span = { start: line.length - command.length, end: line.length };
  if (prompt !== "") {
    // "$ 5" is an amount, and "% done" prose.
    const isSure = /[$❯➜>#] *$/.test(prompt) && /^[\w./~-]*[a-z]/.test(command);
    return isSure || startsWithProgram(command) ? { ...span, prompt } : undefined;
  }
  if (block === undefined || SESSIONS.has(block.language)) return undefined;
  if (block.language === "") {
    return block.startsWithProgram && startsWithProgram(command) && !OUTPUT.test(command) ? span : undefined;
  }
  if (!SHELLS.has(block.language)) return undefined;
  if (isContinued) return span;
  if (block.textEnd !== undefined) {
    if (command === block.textEnd) block.textEnd = undefined;
    return undefined;
  }
  if (!block.hasPrompts) block.textEnd = HERE_DOCUMENT.exec(command)?.[1];
  return block.hasPrompts || !isCommandLine(command) ? undefined : span;
}

/** The prompt at the start of a line; "" if there is none. "# Title" is a heading or a comment. */
function promptOf(source: string): string {
  const prompt = PROMPT_SIGN.test(source) ? (PROMPT.exec(source)?.[0] ?? "") : "";
  return prompt.trim() === "#" ? "" : prompt;
}

/** A line of a shell script that runs something. Others are comments, keywords, brackets, or what a program prints. */
function isCommandLine(line: string): boolean {
  if (!/\p{L}/u.test(line) || KEYWORD_LINE.test(line) || OUTPUT.test(line)) return false;
  const [word = ""] = line.split(/\s/, 1);
  if (word.endsWith(":") || /^v?\d/.test(word)) return false;
  return !/^[A-Z]/.test(word) || CMDLET.test(word) || /[=.\\]/.test(word);
}

/** Commands with an argument in backticks, as offsets in the line. */
export function* findInBackticks(line: string): Steps<Span[]> {
  const found: Span[] = [];
  let open = line.indexOf("`");
  while (open >= 0) {
    const from = skipBackticks(line, open);
    const close = line.indexOf("`", from);
    if (close < 0) break;
    if (close - from <= COMMAND_CHARACTERS_MAX) {
      const source = line.slice(from, close).trimEnd();
      const command = source.replace(/^\s{0,4}(?:[$%>❯]\s{1,4})?/, "");
      const end = from + source.length;
      if (isCommand(command)) found.push({ start: end - command.length, end });
    }
    yield PAIR_CHARACTERS + Math.min(close - open, COMMAND_CHARACTERS_MAX);
    open = line.indexOf("`", skipBackticks(line, close));
  }
  return found;
}

function skipBackticks(line: string, from: number): number {
  let at = from;
  while (line.charAt(at) === "`") at += 1;
  return at;
}

/** Whether text in backticks is a program with an argument. */
function isCommand(source: string): boolean {
  const command = withoutAssignments(source);
  const word = FIRST_WORD.exec(command)?.[0] ?? "";
  const rest = command.slice(word.length);
  if (!/^\s+\S/.test(rest) || /^\s+(?:[=<>!+*/?:-]{1,2}\s|\+=|:=|\{|is\b|and\b|or\b)/.test(rest))
    return false;
  // `python 3.12` is a product.
  if (VERSIONED.has(word) && /^\s+v?\d+(?:\.[\dx]+)*$/.test(rest)) return false;
  if (startsWithProgram(command)) return !/[;{]$|=>/.test(command);
  return /^[a-z][\w.-]*$/.test(word) && !KEYWORDS.has(word) && FLAG.test(rest) && !/^\s+[-=<>]\s/.test(rest);
}

function startsWithProgram(source: string): boolean {
  const command = withoutAssignments(source);
  const word = FIRST_WORD.exec(command)?.[0] ?? "";
  const end = command.charAt(word.length);
  if (word === "" || (end !== "" && !/[\s;|&<]/.test(end))) return false;
  if (word === "export") return /^export\s+[A-Za-z_]+=/.test(command);
  if (word === "go" && /^go\s+\w+\(/.test(command)) return false;
  return (
    PROGRAMS.has(word) ||
    CMDLET.test(word) ||
    /^(?:\.{1,2}|~|\/\w+)\/[\w./-]+$/.test(word) ||
    /^[\w./-]+\.(?:sh|py|ps1|bat|exe)$/.test(word)
  );
}

const withoutAssignments = (command: string): string => command.replace(ASSIGNMENTS, "");

/** The program that a command runs, such as `ssh` in `sudo ssh host`. */
export const programOf = (text: string, command: Span): string => wordsOf(text, command)[0]?.[0] ?? "";

/** The word of a command that names what the program does, such as `s_client` in `openssl s_client`. */
export function subcommandOf(text: string, command: Span): Span | undefined {
  const word = wordsOf(text, command)[1];
  if (word === undefined) return undefined;
  const start = command.start + word.index;
  return { start, end: start + word[0].length };
}

/** The first words of a command, from its program on. */
function wordsOf(text: string, { start, end }: Span): RegExpExecArray[] {
  const words = [...text.slice(start, Math.min(end, start + 300)).matchAll(/\S+/g)].slice(0, 8);
  const first = words.findIndex(({ 0: word }) => !WRAPPERS.has(word) && !/^[A-Z_]+=/.test(word));
  return first < 0 ? [] : words.slice(first);
}
