import type { ContextAnswer, ContextBody } from "@engram/sdk";
import { useState } from "preact/hooks";
import { type ContextPart, splitContext } from "../context-text.ts";
import { formatNumber } from "../format.ts";
import {
  CONTEXT_TOKENS_DEFAULT,
  CONTEXT_TOKENS_MAX,
  CONTEXT_TOKENS_MIN,
  MIN_RELEVANCE_FOR_MODELS,
} from "../generated/limits.ts";
import { useLoaded } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Badge, Copy, Screen as Frame } from "../parts/basics.tsx";
import { type Filter, Filters, filterValue } from "../parts/filters.tsx";
import { Empty, Failure, Loading } from "../parts/states.tsx";
import { Text } from "../parts/text.tsx";
import { goTo, route } from "../route.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.context;
const { filterLabels } = MESSAGES;

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

const FILTERS: readonly Filter[] = [
  { name: "conversation_id", label: filterLabels.conversation, placeholder: MESSAGES.none },
  { name: "user_id", label: filterLabels.user },
  { name: "agent_id", label: filterLabels.agent },
  {
    name: "min_relevance",
    label: MESSAGES.search.minRelevance,
    placeholder: String(MIN_RELEVANCE_FOR_MODELS),
  },
  ...PARTS.map((part) => ({
    ...{ name: `share_${part}`, label: texts.weight[part] },
    ...{ placeholder: texts.weightDefault[part], choices: ["0", "0.2", "0.5", "1"] },
  })),
];

/** What a model would be given for its next answer. */
export function Screen() {
  const { query } = route.value;
  const asked = filterValue("q");
  const isAsked =
    asked !== undefined || ["conversation_id", "user_id", "agent_id"].some((name) => query.has(name));
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    change("q", String(new FormData(event.currentTarget as HTMLFormElement).get("q")));
  };
  return (
    <Frame title={texts.title} note={texts.note}>
      <form class="search" onSubmit={submit}>
        <input
          key={asked}
          data-search
          type="search"
          name="q"
          aria-label={texts.query}
          placeholder={texts.placeholder}
          defaultValue={asked}
          autoComplete="off"
        />
        <button type="submit" class="primary">
          {texts.submit}
        </button>
      </form>
      <Filters filters={FILTERS} />
      <Budget />
      {isAsked ? <Given /> : <Empty title={texts.start}>{texts.startText}</Empty>}
    </Frame>
  );
}

const change = (name: string, value: string) =>
  goTo(["context"], { ...Object.fromEntries(route.value.query), [name]: value });

const budgetOf = (): number => Number(filterValue("max_tokens") ?? CONTEXT_TOKENS_DEFAULT);

/** A slider. While it is moved, only its number changes. */
function Budget() {
  const budget = budgetOf();
  const at = Math.max(
    0,
    BUDGETS.findLastIndex((each) => each <= budget),
  );
  const [moving, setMoving] = useState<number>();
  const shown = moving === undefined ? budget : (BUDGETS[moving] ?? budget);
  return (
    <label class="budget">
      <span>{texts.budget}</span>
      <input
        type="range"
        min={0}
        max={BUDGETS.length - 1}
        value={moving ?? at}
        aria-valuetext={texts.tokens(formatNumber(shown))}
        onInput={({ currentTarget }) => setMoving(Number(currentTarget.value))}
        onChange={({ currentTarget }) => {
          setMoving(undefined);
          change("max_tokens", String(BUDGETS[Number(currentTarget.value)]));
        }}
      />
      <output>{texts.tokens(formatNumber(shown))}</output>
    </label>
  );
}

function toBody(): ContextBody {
  const minimum = filterValue("min_relevance");
  const weights = PARTS.flatMap((part) => {
    const weight = filterValue(`share_${part}`);
    return weight === undefined ? [] : [[part, Number(weight)]];
  });
  return {
    query: filterValue("q"),
    conversation_id: filterValue("conversation_id"),
    user_id: filterValue("user_id"),
    agent_id: filterValue("agent_id"),
    max_tokens: budgetOf(),
    min_relevance: minimum === undefined ? undefined : Number(minimum),
    shares: weights.length === 0 ? undefined : Object.fromEntries(weights),
  } as ContextBody;
}

function Given() {
  const body = toBody();
  const { value: answer, error, reload } = useLoaded((signal) => engram().context(body, { signal }), [body]);
  if (error !== undefined) return <Failure error={error} retry={reload} />;
  if (answer === undefined) return <Loading />;
  return (
    <>
      <Shares of={answer} budget={budgetOf()} />
      {answer.text === "" ? (
        <Empty title={texts.none}>{texts.noneText}</Empty>
      ) : (
        <section class="card">
          <header class="card-head">
            <h2>{texts.text}</h2>
            <Copy text={answer.text} />
          </header>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content */}
          <pre class="context-text" tabIndex={0}>
            {splitContext(answer.text).map(({ part, text }, i) => (
              <div key={i} class={`part-${part}`}>
                <Text of={text} />
              </div>
            ))}
          </pre>
        </section>
      )}
    </>
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
        {answer.pending > 0 && <Badge tone="busy">{MESSAGES.search.pending(answer.pending)}</Badge>}
        {answer.results.below_min_relevance > 0 && (
          <Badge tone="plain">{MESSAGES.search.below(answer.results.below_min_relevance)}</Badge>
        )}
        {answer.degraded.map((reason) => (
          <span key={reason} title={MESSAGES.search.degradedText[reason]}>
            <Badge tone="bad">{MESSAGES.search.degraded[reason]}</Badge>
          </span>
        ))}
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
