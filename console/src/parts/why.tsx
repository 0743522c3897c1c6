import type { SearchExplanation } from "@engram/sdk";
import { MESSAGES } from "../messages.ts";
import { Folded } from "./folded.tsx";

const texts = MESSAGES.search;

type Name = keyof SearchExplanation;

/** What a part of the score comes from: words, meaning, or an adjustment. */
type Family = keyof typeof texts.families;

const FAMILIES: Record<Name, Family> = {
  ...{ message: "words", window: "words", conversation: "words", chunk: "meaning" },
  ...{ answer: "adjustments", question: "adjustments", time: "adjustments", number: "adjustments" },
  ...{ date: "adjustments", speaker: "adjustments", hidden: "adjustments", phrase: "adjustments" },
  validity: "adjustments",
};
const NAMES = Object.keys(FAMILIES) as Name[];
const RANKING = "https://engram.dev/ranking";

interface Part {
  label: string;
  text: string;
  family: Family;
  value: number;
}

const partOf = (explanation: SearchExplanation, name: Name): Part => ({
  ...{ label: texts.components[name], text: texts.componentText[name] },
  ...{ family: FAMILIES[name], value: explanation[name] },
});

/** The parts of a score that are shown: the four scores, and each adjustment that is not 0. */
function partsOf(explanation: SearchExplanation, isMemory: boolean): Part[] {
  const { message, window, conversation, chunk } = explanation;
  const words: Part = {
    ...{ label: texts.memoryWords, text: texts.memoryWordsText, family: "words" },
    value: message + window + conversation,
  };
  const meaning: Part = { ...partOf(explanation, "chunk"), text: texts.memoryMeaningText, value: chunk };
  const adjustments = NAMES.filter((name) => FAMILIES[name] === "adjustments" && explanation[name] !== 0);
  const scores = NAMES.filter((name) => FAMILIES[name] !== "adjustments");
  const all = (isMemory ? adjustments : [...scores, ...adjustments]).map((name) => partOf(explanation, name));
  return isMemory ? [words, meaning, ...all] : all;
}

/**
 * Why a result was found: its relevance, then the parts of its score with what each compares.
 *
 * @param sequence The best match, for a result of several messages.
 */
export function Why(props: {
  explanation: SearchExplanation;
  score: number;
  relevance: number;
  sequence?: number | undefined;
  isMemory?: boolean;
}) {
  const { explanation, score, relevance, sequence, isMemory = false } = props;
  const parts = partsOf(explanation, isMemory);
  const widest = Math.max(1, ...parts.map(({ value }) => Math.abs(value)));
  return (
    <Folded class="why" summary={<summary>{texts.why}</summary>}>
      <div class="why-parts">
        <dl>
          <dt>{texts.relevance}</dt>
          <dd>
            <strong>{relevance.toFixed(2)}</strong> <span class="note">{texts.relevanceText}</span>
          </dd>
          <dt>{texts.score}</dt>
          <dd>
            <strong>{signed(score)}</strong>{" "}
            <span class="note">
              {texts.scoreText} {sequence !== undefined && texts.whyBestMatch(sequence)}
            </span>
          </dd>
        </dl>
        <table aria-label={texts.score}>
          <tbody>
            {parts.map(({ label, text, family, value }) => (
              <tr key={label} class={family}>
                <th scope="row">{label}</th>
                <td class="number">{signed(value)}</td>
                <td class="bar" aria-hidden="true">
                  <span
                    class={value < 0 ? "below" : undefined}
                    style={{ width: `${(Math.abs(value) / widest) * 100}%` }}
                  />
                </td>
                <td class="note">{text}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <p class="families note">
          {(Object.keys(texts.families) as Family[]).map((family) => (
            <span key={family} class={family}>
              {texts.families[family]}
            </span>
          ))}
          <a href={RANKING} target="_blank" rel="noopener noreferrer">
            {texts.howItRanks}
          </a>
        </p>
      </div>
    </Folded>
  );
}

const signed = (value: number): string => (value < 0 ? `−${(-value).toFixed(2)}` : value.toFixed(2));
