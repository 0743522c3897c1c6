import type { ContextAnswer, ContextBody } from "@engram/sdk";
import {
  CONTEXT_TOKENS_DEFAULT,
  CONTEXT_TOKENS_MAX,
  CONTEXT_TOKENS_MIN,
  MIN_RELEVANCE_FOR_MODELS,
} from "@engram/sdk/limits";
import { useState } from "preact/hooks";
import { type ContextPart, splitContext } from "../context-text.ts";
import { formatNumber } from "../format.ts";
import { useLoaded } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { AddressForm, sendForm } from "../parts/address-form.tsx";
import { AnswerNotes } from "../parts/answer-notes.tsx";
import { Copy, Screen as Frame } from "../parts/basics.tsx";
import { commonFilters, type Filter, FilterFields, filtered, filterValue } from "../parts/filters.tsx";
import { QueryField } from "../parts/query-field.tsx";
import { Empty, WhenLoaded } from "../parts/states.tsx";
import { Text } from "../parts/text.tsx";
import { route } from "../route.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.context;

/** Steps of the slider, in tokens: the least and the most that the service accepts, and powers of two between. */
const BUDGETS = [
  CONTEXT_TOKENS_MIN,
  500,
  1_000,
  2_000,
  4_000,
  8_000,
  16_000,
  32_000,
  64_000,
  CONTEXT_TOKENS_MAX,
];
const PARTS = ["memories", "results", "messages"] as const;

const OWNERS: readonly Filter[] = commonFilters("conversation_id", "user_id", "agent_id").map((filter) =>
  filter.name === "conversation_id" ? { ...filter, placeholder: MESSAGES.none } : filter,
);

const FILTERS: readonly Filter[] = [
  ...OWNERS,
  {
    name: "min_relevance",
    label: MESSAGES.search.minRelevance,
    placeholder: String(MIN_RELEVANCE_FOR_MODELS),
    read: Number,
  },
  ...commonFilters("valid_at", "as_of"),
];

/** What each part of the text weighs. */
const WEIGHTS: readonly Filter[] = PARTS.map((part) => ({
  ...{ name: `share_${part}`, label: texts.weight[part] },
  ...{ placeholder: texts.weightDefault[part], choices: ["0", "0.2", "0.5", "1"] },
}));

/** What a model would be given for its next answer. */
export function Screen() {
  const isAsked = ["q", ...OWNERS.map(({ name }) => name)].some((name) => route.value.query.has(name));
  return (
    <Frame title={texts.title} note={texts.note}>
      <AddressForm label={texts.title} toValue={{ max_tokens: tokensAt }}>
        <QueryField name="q" label={texts.query} placeholder={texts.placeholder} submit={texts.submit} />
        <FilterFields filters={[...FILTERS, ...WEIGHTS]} />
        <Budget />
      </AddressForm>
      {isAsked ? <Given /> : <Empty title={texts.start}>{texts.startText}</Empty>}
    </Frame>
  );
}

const budgetOf = (): number => Number(filterValue("max_tokens") ?? CONTEXT_TOKENS_DEFAULT);

/** Index of the step that is at most the budget of the URL. */
const stepOf = (budget: number): number =>
  Math.max(
    0,
    BUDGETS.findLastIndex((each) => each <= budget),
  );

/** The budget of a step. The budget of the URL, which may be between two steps, stays until the slider is moved. */
function tokensAt(step: string): string | undefined {
  if (Number(step) === stepOf(budgetOf())) return filterValue("max_tokens");
  const budget = BUDGETS[Number(step)];
  return budget === CONTEXT_TOKENS_DEFAULT ? undefined : budget?.toString();
}

/** A slider. While it is moved, only its number changes. */
function Budget() {
  const budget = budgetOf();
  const [moving, setMoving] = useState<number>();
  const shown = moving === undefined ? budget : (BUDGETS[moving] ?? budget);
  return (
    <label class="budget">
      <span>{texts.budget}</span>
      <input
        type="range"
        name="max_tokens"
        min={0}
        max={BUDGETS.length - 1}
        defaultValue={stepOf(budget)}
        aria-valuetext={texts.tokens(formatNumber(shown))}
        onInput={({ currentTarget }) => setMoving(Number(currentTarget.value))}
        onChange={(event) => {
          setMoving(undefined);
          sendForm(event);
        }}
      />
      <output>{texts.tokens(formatNumber(shown))}</output>
    </label>
  );
}

function toBody(): ContextBody {
  const weights = PARTS.flatMap((part) => {
    const weight = filterValue(`share_${part}`);
    return weight === undefined ? [] : [[part, Number(weight)]];
  });
  return {
    ...{ query: filterValue("q"), max_tokens: budgetOf(), ...filtered(FILTERS) },
    ...(weights.length > 0 && { shares: Object.fromEntries(weights) }),
  } as ContextBody;
}

function Given() {
  const body = toBody();
  const loaded = useLoaded((signal) => engram().context(body, { signal }), [body]);
  return (
    <WhenLoaded of={loaded}>
      {(answer) => (
        <>
          <Shares of={answer} budget={budgetOf()} />
          {answer.text === "" ? (
            <Empty title={texts.none}>{texts.noneText}</Empty>
          ) : (
            <Parts of={answer.text} />
          )}
        </>
      )}
    </WhenLoaded>
  );
}

/** The text, with its parts in their colors. */
function Parts({ of: whole }: { of: string }) {
  return (
    <section class="card">
      <header class="card-head">
        <h2>{texts.text}</h2>
        <Copy text={whole} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content */}
      <pre class="context-text" tabIndex={0}>
        {splitContext(whole).map(({ part, text }, i) => (
          <div key={i} class={`part-${part}`}>
            <Text of={text} />
          </div>
        ))}
      </pre>
    </section>
  );
}

/** How the parts divide the budget, as a bar and in numbers. */
function Shares({ of: answer, budget }: { of: ContextAnswer; budget: number }) {
  const parts: readonly (readonly [part: ContextPart, tokens: number, about: string])[] = [
    ...PARTS.map((part) => {
      const { items, tokens, omitted } = answer[part];
      return [part, tokens, texts.counts(items.length, omitted)] as const;
    }),
    ["frame", answer.tokens - PARTS.reduce((sum, part) => sum + answer[part].tokens, 0), ""],
  ];
  return (
    <section aria-label={texts.shares}>
      <p class="search-state" role="status">
        <span>{texts.used(formatNumber(answer.tokens), formatNumber(budget))}</span>
        <AnswerNotes {...answer} below_min_relevance={answer.results.below_min_relevance} />
      </p>
      <div class="shares" aria-hidden="true">
        {parts.map(([part, tokens]) => (
          <span
            key={part}
            class={`part-${part}`}
            style={{ width: `${(Math.max(0, tokens) / budget) * 100}%` }}
          />
        ))}
      </div>
      <ul class="legend">
        {parts.map(([part, tokens, about]) => (
          <li key={part} class={`part-${part}`}>
            <strong>{texts.parts[part]}</strong> {texts.tokens(formatNumber(Math.max(0, tokens)))}{" "}
            <span class="note">{about}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
