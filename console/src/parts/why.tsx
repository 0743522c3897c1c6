import type { SearchExplanation } from "@engram/sdk";
import { MESSAGES } from "../messages.ts";

const texts = MESSAGES.search;

const RETRIEVERS = ["message", "window", "conversation", "chunk"] as const;
const PRIORS = ["answer", "question", "time", "number", "date", "speaker", "phrase"] as const;

/** The components of a score: what each retriever gave, and each prior that is not 0. */
export function Why({ explanation, score }: { explanation: SearchExplanation; score: number }) {
  const components = [...RETRIEVERS, ...PRIORS.filter((name) => explanation[name] !== 0)];
  const widest = Math.max(1, ...components.map((name) => Math.abs(explanation[name])));
  return (
    <details class="why">
      <summary>
        {texts.why} <span class="note">{texts.score(score.toFixed(3))}</span>
      </summary>
      <table>
        <tbody>
          {components.map((name) => (
            <tr key={name} class={(PRIORS as readonly string[]).includes(name) ? "prior" : undefined}>
              <th scope="row" title={texts.componentText[name]}>
                {texts.components[name]}
              </th>
              <td class="bar">
                <span
                  class={explanation[name] < 0 ? "below" : undefined}
                  style={{ width: `${(Math.abs(explanation[name]) / widest) * 100}%` }}
                />
              </td>
              <td class="number">{explanation[name].toFixed(3)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
