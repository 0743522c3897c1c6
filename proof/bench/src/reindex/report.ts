import { isDeepStrictEqual } from "node:util";
import type { AskedQuestion } from "../recall/ask.ts";
import type { DialogueSet } from "../recall/dialogues.ts";
import { type ModeReport, reportMode } from "../recall/report.ts";
import { type Measurement, MODES, PHASES, type Phase } from "./measure.ts";

const NAMES: Record<Phase, string> = {
  before: "before, under the old model",
  changed: "under another model",
  half: "half embedded again",
  after: "all embedded again",
  fresh: "filled under it from the start",
};
const SHOWN = ["s_any@1", "t@5", "t@10", "b1000", "mrr", "ndcg@10"] as const;
const NONE = { off_topic: [], unanswerable: [] };

/** Format the figures as a Markdown table: each phase, in hybrid and in semantic mode. */
export function formatReport(measurement: Measurement, set: Pick<DialogueSet, "categories">): string {
  const { phases, messages, conversations, reindexS } = measurement;
  const rows = MODES.flatMap((mode) =>
    PHASES.map((phase) => {
      const report = reportMode(mode, phases[phase][mode], NONE, set);
      return `| ${mode} | ${NAMES[phase]} | ${cells(report).join(" | ")} |`;
    }),
  );
  return [
    `${messages} messages in ${conversations} conversations, ${phases.before.hybrid.length} questions.`,
    `npm run reindex took ${reindexS.toFixed(0)} s for the half that was left.`,
    "",
    `| mode | index | ${SHOWN.join(" | ")} | degraded |`,
    `| --- | --- |${" ---: |".repeat(SHOWN.length + 1)}`,
    ...rows,
  ].join("\n");
}

const cells = ({ metrics, degraded }: ModeReport): string[] => [
  ...SHOWN.map((metric) => metrics[metric].toFixed(1)),
  String(degraded),
];

/** One sentence per unexpected result. */
export function findFaults({ phases }: Measurement): string[] {
  const faults: string[] = [];
  for (const mode of MODES) {
    for (const phase of PHASES) {
      const asked = phases[phase][mode];
      const expected = phase === "changed" || phase === "half";
      const wrong = asked.filter(({ degraded }) => degraded !== expected).length;
      if (wrong > 0) {
        faults.push(
          `${mode}, ${NAMES[phase]}: ${wrong} answers ${expected ? "do not say" : "say"} degraded.`,
        );
      }
    }
    const fresh = phases.fresh[mode].map(withoutTime);
    const others = phases.after[mode].filter((asked, i) => !isDeepStrictEqual(withoutTime(asked), fresh[i]));
    if (others.length > 0) {
      faults.push(`${mode}: ${others.length} questions score otherwise than if filled from the start.`);
    }
  }
  if (phases.changed.semantic.some(({ evidenceRelevance }) => evidenceRelevance > 0)) {
    faults.push("Meaning finds something although no vector of the model is there.");
  }
  return faults;
}

function withoutTime({ searchMs: _, ...asked }: AskedQuestion): Omit<AskedQuestion, "searchMs"> {
  return asked;
}
