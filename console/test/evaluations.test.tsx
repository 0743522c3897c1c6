// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from "vitest";
import { EVALUATIONS } from "../src/evaluation-messages.ts";
import { MESSAGES } from "../src/messages.ts";
import { open, text } from "./support/app.tsx";
import { type Answer, json, problem, until } from "./support/service.ts";

const { localQueries } = await import("../src/local-queries.ts");

const AT = "2026-11-02T09:30:00.000Z";
const run = (rank: number | null, ndcg: number) => ({
  ...{ ranks: [{ id: "msg_1", rank }], any: rank !== null, ndcg, degraded: [], run_at: AT },
});
const evaluation = (i: number, last_run: object | null = null) => ({
  ...{ id: `eval_${i}`, operation: "search", request: { query: `<b>Query ${i}</b>`, user_id: "maria" } },
  ...{
    expected: ["msg_1"],
    depth: 10,
    agent_id: null,
    user_id: null,
    from_recall: null,
    last_run,
    created_at: AT,
  },
});

const serving =
  (items: readonly object[], paths: Record<string, Answer> = {}): Answer =>
  (url, init) =>
    paths[`${init.method} ${url.pathname}`]?.(url, init) ?? json({ items, next_cursor: null });

const press = (name: string) =>
  [...document.querySelectorAll("button")].find(({ textContent }) => textContent === name)?.click();
const rows = () =>
  [...document.querySelectorAll("tbody tr")].map((row) =>
    [...row.querySelectorAll("td")].slice(1, 4).map(({ textContent }) => textContent?.trim() ?? ""),
  );

describe("the evaluations", () => {
  test("show the last run of each: any@k, nDCG and the ranks", async () => {
    await open(
      "evaluations",
      serving([evaluation(1, run(2, 0.63)), evaluation(2, run(null, 0)), evaluation(3)]),
    );
    await until(() =>
      expect(rows()).toEqual([
        ["Message no. 2", "Yes any@10", "0.63"],
        ["Message not found", "No any@10", "0.00"],
        ["Message", "", ""],
      ]),
    );
    expect(text(".totals")).toBe("Found1 of 2Mean nDCG0.32");
    expect(text("tbody")).toContain("<b>Query 1</b>User: maria");
    expect(document.querySelector("tbody [data-item]")?.getAttribute("href")).toBe(
      "#/search?q=%3Cb%3EQuery+1%3C%2Fb%3E&user_id=maria",
    );
    expect(document.querySelector('a[href="#/messages/msg_1"]')).not.toBeNull();
  });

  test("run all, and show what moved against the last run", async () => {
    const results: Record<string, object> = {
      eval_1: {
        evaluation: evaluation(1, run(1, 1)),
        previous: run(3, 0.5),
        moved: [{ id: "msg_1", before: 3, now: 1 }],
      },
      eval_2: { evaluation: evaluation(2, run(4, 0.4)), previous: run(4, 0.4), moved: [] },
    };
    const answer = serving([evaluation(1, run(3, 0.5)), evaluation(2, run(4, 0.4))]);
    const asked = await open("evaluations", (url, init) =>
      init.method === "POST" ? json(results[url.pathname.split("/")[3] ?? ""]) : answer(url, init),
    );
    await until(() => expect(text(".totals")).toBe("Found2 of 2Mean nDCG0.45"));
    press(EVALUATIONS.runAll);
    await until(() =>
      expect(rows()).toEqual([
        ["Message no. 1 was no. 3", "Yes any@10", "1.00"],
        ["Message no. 4", "Yes any@10", "0.40"],
      ]),
    );
    const scores = "Found2 of 2Mean nDCG0.70, before 0.45Moved since the run before1";
    await until(() => expect(text(".totals")).toBe(scores));
    expect(asked.filter((line) => line.endsWith("/run"))).toHaveLength(2);
  });

  test("say why a run fails, and keep what was run", async () => {
    const answer = serving([evaluation(1), evaluation(2)]);
    await open("evaluations", (url, init) => {
      if (url.pathname.endsWith("eval_2/run")) return problem(409, "conflict", "Not <b>now</b>.");
      if (url.pathname.endsWith("eval_1/run"))
        return json({ evaluation: evaluation(1, run(1, 1)), previous: null, moved: [] });
      return answer(url, init);
    });
    await until(() => expect(rows()).toHaveLength(2));
    press(EVALUATIONS.runAll);
    await until(() => expect(text("main .state.failed")).toContain("Not <b>now</b>."));
    expect(rows()[0]).toEqual(["Message no. 1", "Yes any@10", "1.00"]);
  });

  test("are deleted after a question", async () => {
    const asked = await open(
      "evaluations",
      serving([evaluation(1), evaluation(2)], { "DELETE /v1/evaluations/eval_1": () => json(evaluation(1)) }),
    );
    await until(() => expect(rows()).toHaveLength(2));
    document.querySelector<HTMLButtonElement>("tbody [role=menuitem].danger")?.click();
    await until(() => expect(text("dialog")).toContain("<b>Query 1</b>"));
    expect(asked.some((line) => line.startsWith("DELETE"))).toBe(false);
    document.querySelector<HTMLButtonElement>("dialog [type=submit]")?.click();
    await until(() => expect(rows()).toHaveLength(1));
    expect(document.querySelector("dialog")).toBeNull();
  });
});

describe("queries that this browser kept", () => {
  const kept = [
    { id: "a", search: "q=first&user_id=maria", expected: { memory_id: "mem_1" }, saved_at: AT },
    { id: "b", search: "q=<b>gone</b>", expected: { conversation_id: "conv_1", sequence: 9 }, saved_at: AT },
    { id: "c", search: "q=refused", expected: { memory_id: "mem_2" }, saved_at: AT },
  ];
  beforeEach(() => {
    localStorage.setItem("engram.queries", JSON.stringify(kept));
    localQueries.value = kept;
  });

  test("are uploaded once as evaluations and leave the browser; others say why not, and stay", async () => {
    const created: { request: object; expected: string[] }[] = [];
    await open(
      "evaluations",
      serving([], {
        "POST /v1/evaluations": (_, { body }) => {
          const asked = body as (typeof created)[number];
          if (asked.expected[0] === "mem_2") return problem(409, "too_many_evaluations", "Too many.");
          created.push(asked);
          return json({ id: "eval_1" }, 201);
        },
        "POST /v1/evaluations/eval_1/run": () => problem(409, "conflict", "No."),
      }),
    );
    await until(() => expect(text("section.card strong")).toBe(EVALUATIONS.local(3)));
    press(EVALUATIONS.upload);
    await until(() => expect(text("section.card")).toContain(`<b>gone</b>${EVALUATIONS.gone}`));
    expect(text("section.card .state.failed")).toContain("Too many.");
    expect(created).toMatchObject([{ request: { query: "first", user_id: "maria" }, expected: ["mem_1"] }]);
    expect(localQueries.value).toHaveLength(2);
    expect(localStorage.getItem("engram.queries")).not.toContain("first");
    press(EVALUATIONS.discard);
    await until(() => expect(document.querySelector("section.card")).toBeNull());
    expect(localStorage.getItem("engram.queries")).toBeNull();
    await until(() => expect(text("main .state.empty")).toContain(MESSAGES.navigation.places.search));
  });
});
