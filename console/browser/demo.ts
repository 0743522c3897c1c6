import type { AppendMessagesBody, Engram } from "@engram/sdk";

type Said = AppendMessagesBody["messages"];

const MINUTE_MS = 60_000;

/** A support chat, an agent's transcript with tool calls, and some short ones, as they are met in practice. */
export interface Demo {
  support: string;
  transcript: string;
}

/** Stores conversations that are worth looking at. They were held in the last days. */
export async function storeDemo({ conversations, messages }: Engram): Promise<Demo> {
  const store = async (
    about: { title?: string; user_id: string; agent_id: string; tags?: string[] },
    minutesAgo: number,
    said: Said,
  ) => {
    const { id } = await conversations.create(about);
    const begunMs = Date.now() - minutesAgo * MINUTE_MS;
    const dated = said.map((message, i) => ({
      ...message,
      created_at: new Date(begunMs + i * 20_000).toISOString(),
    }));
    await messages.append(id, { messages: dated, wait: "indexed" });
    return id;
  };
  for (const [title, user_id, minutesAgo, content] of SHORT)
    await store({ ...(title && { title }), user_id, agent_id: "support", tags: ["billing"] }, minutesAgo, [
      { role: "user", content },
    ]);
  const support = await store(
    { title: "Refund for order 1029", user_id: "maria", agent_id: "support", tags: ["billing", "return"] },
    26 * 60,
    SUPPORT,
  );
  const transcript = await store(
    { title: "Flaky checkout test", user_id: "jon", agent_id: "coder", tags: ["ci"] },
    50,
    TRANSCRIPT,
  );
  return { support, transcript };
}

const SHORT = [
  [
    "Invoice in another currency",
    "lea",
    7 * 24 * 60,
    "Can the invoice be in Swiss francs? We pay from Zurich.",
  ],
  ["", "tom", 3 * 24 * 60, "Where do I change the delivery address of a subscription?"],
  ["Login code never arrives", "ana", 190, "The code does not arrive by SMS.\nI have waited ten minutes."],
] as const;

const SUPPORT: Said = [
  {
    ...{ role: "user", name: "Maria" },
    content: "The kettle from order 1029 leaks. I sent it back last week, when do I get my money?",
  },
  {
    ...{ role: "assistant", tool_call_id: "call_1", tool_name: "find_return" },
    content: '{"order":"1029"}',
  },
  {
    ...{ role: "tool", tool_call_id: "call_1", tool_name: "find_return" },
    content:
      '{"return":"R-4471","state":"received","refund":"sent","amount":"49.00 EUR","sent_on":"2026-11-02"}',
  },
  {
    role: "assistant",
    content:
      "Your refund of **49.00 EUR** left us on Monday. The bank needs up to three days:\n\n- **Return** R-4471, received\n- **Refund** sent on November 2\n- **On your account** by November 5",
  },
  { role: "user", name: "Maria", content: "Great, thank you! Could you send me that by e-mail, too?" },
  { role: "assistant", content: "Done. You prefer e-mail to letters, so I keep it that way." },
];

const TRANSCRIPT: Said = [
  {
    role: "system",
    content:
      "You are a coding agent in the repository `shop`. Read before you change. Run the tests that a change touches, and say what you ran. Never push. Ask before you delete a file that git does not track. Answer in Markdown, briefly, with code where it helps.",
  },
  {
    ...{ role: "user", name: "Jon" },
    content: "`checkout.test.ts` fails about once in ten runs on CI. Find out why and fix it.",
  },
  {
    ...{ role: "assistant", content: "I look at the test first, and at what CI says." },
    parts: [
      { type: "text", text: "I look at the test first, and at what CI says." },
      { type: "tool_use", id: "toolu_1", name: "read_file", input: { path: "test/checkout.test.ts" } },
      {
        type: "tool_use",
        id: "toolu_2",
        name: "run",
        input: { command: "gh run list --limit 20 --json conclusion" },
      },
    ],
  },
  {
    ...{ role: "tool", tool_call_id: "toolu_1", tool_name: "read_file" },
    content:
      'import { expect, test } from "vitest";\nimport { checkout } from "../src/checkout.ts";\n\ntest("charges once", async () => {\n  const first = checkout(cart);\n  const second = checkout(cart);\n  await Promise.all([first, second]);\n  expect(charges()).toHaveLength(1);\n});\n',
  },
  {
    ...{ role: "tool", tool_call_id: "toolu_2", tool_name: "run" },
    content: '[{"conclusion":"success"},{"conclusion":"failure"},{"conclusion":"success"}]',
  },
  {
    role: "assistant",
    content: [
      "The test is right, and the code has a **race**: both calls read the cart before either of them marks it as paid.",
      "```ts\nconst cart = await carts.get(id);\nif (cart.paid) return;\nawait charge(cart);          // both get here\nawait carts.update(id, { paid: true });\n```",
      "I see two ways to fix it:",
      "| | Change | Cost |\n|---|---|---|\n| 1 | Update with a condition, then charge | one query |\n| 2 | A lock for each cart | a table, and its cleanup |",
      "I take the first one.",
    ].join("\n\n"),
  },
  {
    ...{ role: "assistant", tool_call_id: "call_3", tool_name: "edit_file" },
    content:
      '{"path":"src/checkout.ts","old":"if (cart.paid) return;","new":"if (!(await carts.claim(id))) return;"}',
  },
  { role: "tool", tool_call_id: "call_3", tool_name: "edit_file", content: "1 replacement" },
  {
    ...{ role: "assistant", tool_call_id: "call_4", tool_name: "run" },
    content: '{"command":"npx vitest run test/checkout.test.ts --repeats 200"}',
  },
  {
    ...{ role: "tool", tool_call_id: "call_4", tool_name: "run" },
    content: " Test Files  1 passed (1)\n      Tests  200 passed (200)\n   Duration  4.81s\n",
  },
  {
    role: "assistant",
    content:
      "Fixed: `checkout` claims the cart with one conditional update, and charges only if it got it. 200 runs of the test pass; before, 23 of 200 failed.",
  },
  { role: "user", name: "Jon", content: "Nice. Does a crash between claim and charge lose the order?" },
];
