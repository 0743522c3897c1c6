import {
  COMMON_FOLDERS,
  DOMAINS,
  EXTENSIONS,
  FILES,
  NO_FILES,
  SOURCE_FOLDERS,
  SYSTEM_FOLDERS,
  SYSTEM_ROOTS,
} from "./file-names.ts";
import type { Span } from "./kinds.ts";
import { SIGN, type Token, type Tokens } from "./tokens.ts";

/** `:12:5` and `#L10`, which say where in the file. */
const PLACE = /(?:(?::\d+){1,2}|#L\d+(?:-L?\d+)?)(?::in)?$/;
const NAME = /^[\p{L}\p{N}\p{M}._+@~$%-]+$/u;
const PATH = /^[\p{L}\p{N}\p{M}._+@~$%/-]+$/u;
const WINDOWS_PATH = /^(?:[A-Za-z]:\\|\.{1,2}\\|%\w+%\\|\\\\)?[\p{L}\p{N}\p{M}._+@~$%\\-]+$/u;
/** `libssl.so.3` and `access.log.1` have another part after the extension. */
/** A folder's name may have blanks: `C:\Program Files (x86)\Git\bin\git.exe`. */
const DRIVE_PATH =
  /^[A-Za-z]:\\(?:[\p{L}\p{N}._+@~$%-]{1,60}(?: [\p{Lu}(][\p{L}\p{N}._()-]{0,60}){0,3}\\)*[\p{L}\p{N}._+@~$%-]*/u;
const PATH_CHARACTERS_MAX = 260;
const GLOB = /^[\p{L}\p{N}._@~$-][\p{L}\p{N}._+@~$*?/-]*\/[\p{L}\p{N}._+@~$*?/-]*$/u;
const EXTENSION = /[^./\\]\.(?:([A-Za-z][A-Za-z0-9]{0,7})|(so|log)(?:\.\d{1,3}){1,3})$/;
const ANCHOR = /^(?:\.{1,2}|~|\$[A-Z_]+|%\w+%)\//;
const WINDOWS_ANCHOR = /^(?:[A-Za-z]:|\.{1,2}|%\w+%|\\)\\/;
const ROUTE = /^\/(?:v\d+|api)\//;
const BRANCH_WORDS = new Set(["branch", "branches", "checkout", "switch", "-b", "merge", "rebase"]);

/** A path, or the name of a file, without the line. */
export function matchFile(tokens: Tokens, token: Token): Span | undefined {
  if (FILES.has(token.lower)) return token;
  if ((token.traits & SIGN) === 0) return undefined;
  if (/^[A-Za-z]:\\/.test(token.text)) return matchDrivePath(tokens, token);
  const place = PLACE.exec(token.text)?.[0] ?? "";
  // `curl -d @order.json`
  const from = token.text.startsWith("@") && !token.text.includes("/") ? 1 : 0;
  const text = token.text.slice(from, token.text.length - place.length);
  const isCalled =
    tokens.text.charAt(token.end) === "(" && !/^\(\d+[,)]/.test(tokens.text.slice(token.end, token.end + 8));
  if (!isFile(tokens, text, isCalled)) return undefined;
  return { start: token.start + from, end: token.end - place.length };
}

function matchDrivePath({ text }: Tokens, { start }: Token): Span {
  const path = DRIVE_PATH.exec(text.slice(start, start + PATH_CHARACTERS_MAX))?.[0] ?? "";
  return { start, end: start + path.replace(/[.-]+$/, "").length };
}

function isFile(tokens: Tokens, text: string, isCalled: boolean): boolean {
  if (text.includes("\\")) return isWindowsPath(text);
  if (text.includes("*")) return GLOB.test(text) && extensionOf(text) !== undefined;
  if (text.includes("/")) return PATH.test(text) && isPath(tokens, text);
  return NAME.test(text) && !isCalled && isFileName(text);
}

function isFileName(text: string): boolean {
  const lower = text.toLowerCase();
  if (NO_FILES.has(lower)) return false;
  if (FILES.has(lower) || /^\.env\.\w+$/.test(lower) || /^dockerfile\.\w+$/.test(lower)) return true;
  return EXTENSIONS.has(extensionOf(text) ?? "");
}

const extensionOf = (text: string): string | undefined => toLower(EXTENSION.exec(text));

/** Undefined for `Newtonsoft.Json`, whose parts are names in code. */
const toLower = (extension: RegExpExecArray | null): string | undefined =>
  /^[A-Z][a-z]/.test(extension?.[1] ?? "") ? undefined : (extension?.[1] ?? extension?.[2])?.toLowerCase();

function isWindowsPath(text: string): boolean {
  if (!WINDOWS_PATH.test(text)) return false;
  return WINDOWS_ANCHOR.test(text) || EXTENSIONS.has(extensionOf(text) ?? "");
}

function isPath(tokens: Tokens, text: string): boolean {
  // A date, a share, or several words of which the reader may choose one.
  if (!/\p{L}{2}/u.test(text) || text.includes("//") || ROUTE.test(text)) return false;
  if (ANCHOR.test(text)) return text.length > 3;
  const extension = extensionOf(text);
  const parts = text.split("/");
  const first = (parts[0] === "" ? parts[1] : parts[0])?.toLowerCase() ?? "";
  if (text.startsWith("/")) {
    if (extension !== undefined && (EXTENSIONS.has(extension) || SYSTEM_FOLDERS.has(first))) return true;
    if (parts.length === 2) return SYSTEM_ROOTS.has(first);
    return SYSTEM_FOLDERS.has(first);
  }
  if (isHost(first)) return extension === "go";
  const last = parts.at(-1) ?? "";
  if (text.startsWith("@")) return text.startsWith("@/") && extension !== undefined;
  if (NO_FILES.has(last.toLowerCase())) return false;
  if (extension !== undefined && (EXTENSIONS.has(extension) || parts.length > 2)) return true;
  if (FILES.has(last.toLowerCase())) return true;
  if (last === "") return first.length > (parts.length > 2 ? 1 : 2);
  if (isBranch(tokens)) return false;
  return SOURCE_FOLDERS.has(first) || (parts.length > 2 && COMMON_FOLDERS.has(first));
}

/** Whether a word is a host's name, as `example.com` in `example.com/start`. */
const isHost = (word: string): boolean =>
  /^[^.].*\.[a-z]+$/.test(word) && DOMAINS.has(word.slice(word.lastIndexOf(".") + 1));

const isBranch = (tokens: Tokens): boolean =>
  [-2, -1, 1].some((distance) => BRANCH_WORDS.has(tokens.lower(distance)));
