import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

/** A document of the repository, and the page that shows it. */
interface Document {
  file: string;
  page: string;
  /** What the page is called where the document's own heading says too little out of its folder. */
  title?: string;
}

const DOCUMENTS: Document[] = [
  { file: "docs/deploy.md", page: "deploy" },
  { file: "docs/guarantees.md", page: "guarantees" },
  { file: "docs/limits.md", page: "limits" },
  { file: "SECURITY.md", page: "security" },
  { file: "docs/glossary.md", page: "glossary" },
  { file: "CONTRIBUTING.md", page: "contributing" },
  { file: "service/README.md", page: "architecture/index", title: "Architecture" },
  { file: "docs/architecture/requests.md", page: "architecture/requests" },
  { file: "docs/architecture/append.md", page: "architecture/append" },
  { file: "docs/architecture/search.md", page: "architecture/search" },
  { file: "docs/architecture/indexing.md", page: "architecture/indexing" },
  { file: "docs/architecture/summaries.md", page: "architecture/summaries" },
  { file: "docs/architecture/deletion.md", page: "architecture/deletion" },
  { file: "docs/architecture/operations.md", page: "architecture/operations" },
  { file: "cli/README.md", page: "cli/index", title: "Command line" },
  { file: "sdk/README.md", page: "sdk/index", title: "TypeScript SDK" },
  { file: "proof/bench/README.md", page: "benchmarks/index" },
  { file: "proof/bench/results/speed.md", page: "benchmarks/speed" },
  { file: "proof/sim/README.md", page: "simulator" },
  { file: "proof/trials/README.md", page: "trials" },
];
/** What a document shows, by the path under the site's root. */
const ASSETS = [{ file: "proof/bench/results/speed.svg", path: "generated/speed.svg" }];

/** The pages that only the site has. */
const PAGES = "site/pages/";
const LINK = /\[((?:`[^`]*`|[^\]`])*)\]\((?!https?:|#)([^)#\s]+)(#[^)\s]*)?\)/g;
const FENCE = /^```[\s\S]*?^```/gm;

/**
 * Write the pages that show the repository's own documents into a folder, and what they show into `assets`.
 *
 * Their links lead to the pages of this site; those to other files into `repository`, the address of the source
 * tree, and where that is not given the text stands without its link.
 */
export function writeDocuments(folder: string, assets: string, repository: string | undefined): void {
  for (const { file, page, title } of DOCUMENTS) {
    const markdown = readFileSync(join(ROOT, file), "utf8");
    const titled = title === undefined ? markdown : markdown.replace(/^# .*$/m, `# ${title}`);
    write(join(folder, `${page}.md`), rewriteLinks(titled, file, repository));
  }
  for (const { file, path } of ASSETS) write(join(assets, path), readFileSync(join(ROOT, file), "utf8"));
}

/** A document's text with its relative links turned into those of the site. Code stays as it is. */
export function rewriteLinks(markdown: string, file: string, repository: string | undefined): string {
  const rewrite = (text: string) =>
    text.replace(LINK, (_, label: string, target: string, anchor = "") => {
      const path = relative(ROOT, resolve(ROOT, dirname(file), target));
      const page = DOCUMENTS.find((document) => document.file === path);
      if (page !== undefined) return `[${label}](/${`${page.page}.md`.replace(/index\.md$/, "")}${anchor})`;
      if (path.startsWith(PAGES)) return `[${label}](/${path.slice(PAGES.length)}${anchor})`;
      const asset = ASSETS.find((each) => each.file === path);
      if (asset !== undefined) return `[${label}](/${asset.path})`;
      return repository === undefined ? label : `[${label}](${repository}/blob/main/${path}${anchor})`;
    });
  let end = 0;
  let rewritten = "";
  for (const fence of markdown.matchAll(FENCE)) {
    rewritten += rewrite(markdown.slice(end, fence.index)) + fence[0];
    end = fence.index + fence[0].length;
  }
  return rewritten + rewrite(markdown.slice(end));
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
