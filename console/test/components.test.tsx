// @vitest-environment happy-dom
import { type ComponentChild, render } from "preact";
import { describe, expect, test } from "vitest";
import { formatDayHeading, formatRelative } from "../src/format.ts";
import { Time } from "../src/parts/basics.tsx";
import { Markdown } from "../src/parts/markdown.tsx";
import { RelativeTime } from "../src/parts/relative-time.tsx";
import { Prose, Text } from "../src/parts/text.tsx";
import { until } from "./support/service.ts";

function shown(content: ComponentChild): HTMLElement {
  const element = document.createElement("main");
  render(content, element);
  return element;
}

/** Tags of the elements within, in order. */
const tags = (element: HTMLElement) =>
  [...element.querySelectorAll("*")].map(({ tagName }) => tagName.toLowerCase());

const HOSTILE = [
  "<script>globalThis.hostile=1</script>",
  "<img src=x onerror=globalThis.hostile=1>",
  '<a href="javascript:globalThis.hostile=1">open</a>',
  "<svg><script>1</script></svg>",
  "</bdi></div><iframe srcdoc='<b>x</b>'>",
  "&lt;b&gt; &#x202E;",
  "```html\n<iframe src=x>\n```",
  "[x]: javascript:1\n[x]",
  "<http://192.0.2.1/>",
  `${"> ".repeat(500)}deep`,
  `${"- ".repeat(500)}deep`,
  "[".repeat(2_000),
];

describe("stored text", () => {
  test.for(HOSTILE)("%j stays text", (text) => {
    const element = shown(<Text of={text} />);
    expect(tags(element)).toEqual(["bdi"]);
    expect(element.textContent).toBe(text);
  });

  test("shows marks, and hidden characters by their codes", () => {
    const element = shown(<Text of={"a\u202ebc"} marks={[{ start: 2, end: 3 }]} />);
    expect(element.textContent).toBe("aU+202Ebc");
    expect(element.querySelector("mark")?.textContent).toBe("b");
  });

  test("of great length is shown in full on request", async () => {
    const element = shown(<Prose of={"x".repeat(20_000)} />);
    expect(element.querySelector("bdi")?.textContent?.length).toBe(12_000);
    element.querySelector("button")?.click();
    await until(() => expect(element.querySelector("bdi")?.textContent?.length).toBe(20_000));
  });
});

describe("Markdown", () => {
  const ALLOWED =
    /^(div|p|blockquote|ul|ol|li|table|thead|tbody|tr|th|td|em|strong|s|br|hr|code|pre|bdi|span|button)$/;

  test.for(HOSTILE)("%j makes no element but those of Markdown", (text) => {
    expect(tags(shown(<Markdown of={text} />)).filter((tag) => !ALLOWED.test(tag))).toEqual([]);
  });

  test("formats, and shows hidden characters", () => {
    const text = "# Title\n\n1. **one**\n2. `two\u202e`\n\n| a |\n|---|\n| b |\n\n```js\ncode();\n```";
    const element = shown(<Markdown of={text} />);
    expect(element.querySelector("p.heading")?.textContent).toBe("Title");
    expect(element.querySelector("ol li strong")?.textContent).toBe("one");
    expect(element.querySelector("ol li code")?.textContent).toBe("twoU+202E");
    expect(element.querySelector("tbody td")?.textContent).toBe("b");
    expect(element.querySelector("pre")?.textContent).toBe("code();\n");
  });

  test("makes no heading of an empty cell of a table", () => {
    const element = shown(<Markdown of={"| | a |\n|---|---|\n| 1 | 2 |"} />);
    expect([...element.querySelectorAll("thead tr > *")].map(({ tagName }) => tagName)).toEqual(["TD", "TH"]);
  });

  test("opens no link before two clicks, and loads no image", async () => {
    const element = shown(<Markdown of={"[bank](https://a.example/) ![chart](https://b.example/c.png)"} />);
    expect(element.querySelector("a, img")).toBeNull();
    for (const button of element.querySelectorAll("button")) button.click();
    await until(() => expect(element.querySelectorAll("a")).toHaveLength(2));
    expect([...element.querySelectorAll("a")].map(({ href, rel }) => [href, rel])).toEqual([
      ["https://a.example/", "noopener noreferrer"],
      ["https://b.example/c.png", "noopener noreferrer"],
    ]);
    expect(element.textContent).toContain("bank (https://a.example/)");
    expect(element.querySelector("img")).toBeNull();
  });

  test.for(["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "//192.0.2.1/x", "/v1/keys"])(
    "makes no link of %s",
    async (url) => {
      const element = shown(<Markdown of={`[x](${url})`} />);
      element.querySelector("button")?.click();
      await until(() => expect(element.querySelector("button")).toBeNull());
      expect(element.querySelector("a")).toBeNull();
      expect(element.textContent).toContain(url);
    },
  );

  test("leaves a text that is too long as it is stored", () => {
    const text = `# ${"x".repeat(20_000)}`;
    expect(shown(<Markdown of={text} />).querySelector(".markdown")).toBeNull();
  });
});

test("a time has UTC on hover", () => {
  const time = shown(<Time at="2026-11-02T09:30:00.000Z" />).querySelector("time");
  expect(time?.title).toContain("(2026-11-02T09:30:00.000Z)");
});

describe("a relative time", () => {
  const now = Date.parse("2026-11-12T12:00:00.000Z");
  test.for([
    ["2026-11-12T11:59:30.000Z", "now"],
    ["2026-11-12T12:00:20.000Z", "now"],
    ["2026-11-12T11:55:00.000Z", "5m ago"],
    ["2026-11-12T00:30:00.000Z", "11h ago"],
    ["2026-11-09T12:00:00.000Z", "3d ago"],
    ["2026-11-02T12:00:00.000Z", "Nov 2"],
    ["2025-11-02T12:00:00.000Z", "Nov 2, 2025"],
    ["2026-11-20T12:00:00.000Z", "Nov 20"],
  ] as const)("of %s is %s", ([at, shown]) => expect(formatRelative(at, now)).toBe(shown));

  test("has the exact time on hover", () => {
    const time = shown(<RelativeTime at="2026-11-02T09:30:00.000Z" />).querySelector("time");
    expect([time?.dateTime, time?.title]).toEqual([
      "2026-11-02T09:30:00.000Z",
      expect.stringContaining("(2026-11-02T09:30:00.000Z)"),
    ]);
  });

  test.for([
    ["2026-11-12T12:00:00.000Z", "Today"],
    ["2026-11-11T12:00:00.000Z", "Yesterday"],
    ["2026-11-02T12:00:00.000Z", "Monday, November 2"],
    ["2025-11-02T12:00:00.000Z", "Sunday, November 2, 2025"],
  ] as const)("has the day of %s as the heading %s", ([at, day]) =>
    expect(formatDayHeading(at, now)).toBe(day),
  );
});
