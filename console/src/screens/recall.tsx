import type { Recall } from "@engram/sdk";
import { EVALUATION_EXPECTED_MAX } from "@engram/sdk/limits";
import { useMemo, useState } from "preact/hooks";
import { formatNumber } from "../format.ts";
import { useAction, useLoaded } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { AnswerNotes } from "../parts/answer-notes.tsx";
import { Badge, Facts, Screen as Frame, Id, isEmptyObject, Json, Tags, Time } from "../parts/basics.tsx";
import { ItemState } from "../parts/item-state.tsx";
import { KeyName, useKeyNames } from "../parts/key-name.tsx";
import { ownerFacts } from "../parts/owner-facts.tsx";
import { RecallItems } from "../parts/recall-items.tsx";
import { recallTitle } from "../parts/recall-link.tsx";
import { useReplay } from "../parts/recall-replay.tsx";
import { Failure } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { RECALLS } from "../recall-messages.ts";
import { createItemReader } from "../recalled-items.ts";
import { filtersOf, placeOfRequest } from "../recalled-request.ts";
import { linkTo, route } from "../route.ts";
import { engram } from "../session.ts";

const texts = RECALLS;
const { columns } = MESSAGES;

/** What a search or a context answered, whether it would answer the same now, and what came of it. */
export function Screen() {
  const id = route.value.path[1] ?? "";
  const loaded = useLoaded((signal) => engram().recalls.get(id, { signal }), [id]);
  const recall = loaded.value;
  if (recall === undefined || loaded.error !== undefined) return <ItemState title={texts.one} of={loaded} />;
  return <Shown of={recall} />;
}

function Shown({ of: recall }: { of: Recall }) {
  const { id, operation } = recall;
  const read = useMemo(() => createItemReader(recall), [id]);
  const [used, setUsed] = useState<ReadonlySet<string>>(new Set(recall.used));
  const toggle = (item: string) =>
    setUsed((before) => {
      const others = [...before].filter((each) => each !== item);
      return new Set(before.has(item) ? others : [...others, item]);
    });
  const replay = useReplay(recall, read);
  const { path, query } = placeOfRequest(recall);
  return (
    <Frame
      title={<Text of={recallTitle(recall)} />}
      note={<Id id={id} />}
      actions={
        <>
          <a class="button" href={linkTo(path, query)}>
            {texts.openIn[operation]}
          </a>
          {operation !== "getContext" && <Evaluate id={id} used={used} />}
          {replay.button}
        </>
      }
    >
      <About of={recall} />
      {replay.result}
      <Layout of={recall} />
      <RecallItems of={recall} read={read} used={used} toggle={toggle} />
      <Notes of={recall} used={used} />
    </Frame>
  );
}

function About({ of: recall }: { of: Recall }) {
  const { operation, request, key, run_id, metadata, models, tokens, used, outcome } = recall;
  const names = useKeyNames();
  const filters = filtersOf(recall);
  const budget = request.max_tokens;
  const isWhole = recall.degraded.length === 0 && recall.pending === 0;
  return (
    <Facts
      of={[
        [columns.operation, texts.operations[operation]],
        [texts.recorded, <Time key="at" at={recall.created_at} />],
        ...ownerFacts("conversations", recall),
        [
          texts.run,
          run_id !== null && (
            <a href={linkTo(["receipts"], { run_id })}>
              <Text of={run_id} />
            </a>
          ),
        ],
        [columns.key, <KeyName key="key" id={key.id} names={names} />],
        [texts.filters, filters.length > 0 && <Tags tags={filters} />],
        [
          texts.tokens,
          typeof budget === "number"
            ? texts.tokensOf(formatNumber(tokens), formatNumber(budget))
            : formatNumber(tokens),
        ],
        [texts.state, !isWhole && <AnswerNotes {...recall} below_min_relevance={0} />],
        [texts.models, [models.embedding, models.reranking].filter(Boolean).join(", ")],
        [texts.rulesLabel, texts.rules(recall.rules)],
        [texts.used, used !== null && formatNumber(used.length)],
        [texts.outcome, outcome && <Text of={outcome} />],
        [texts.keptUntil, <Time key="until" at={recall.expires_at} />],
        [
          MESSAGES.filterLabels.metadata,
          !isEmptyObject(metadata) && (
            <details>
              <summary>{MESSAGES.show}</summary>
              <Json of={metadata} />
            </details>
          ),
        ],
        [
          texts.request,
          <details key="request">
            <summary>{MESSAGES.show}</summary>
            <Json of={request} />
          </details>,
        ],
      ]}
    />
  );
}

/** What each part of the answer cost, and what was left out of it. */
function Layout({ of: { layout } }: { of: Recall }) {
  return (
    <section aria-label={texts.layout}>
      <h2>{texts.layout}</h2>
      <Table
        items={layout.map((row) => ({ ...row, id: row.part }))}
        label={texts.layout}
        columns={[
          { title: texts.part, cell: ({ part }) => texts.parts[part] },
          { title: texts.items, kind: "number", cell: ({ items }) => formatNumber(items) },
          { title: texts.tokens, kind: "number", cell: ({ tokens }) => formatNumber(tokens) },
          {
            title: texts.leftOut,
            kind: "wide",
            cell: ({ omitted, below_min_relevance }) => texts.leftOutOf(omitted, below_min_relevance),
          },
        ]}
      />
    </section>
  );
}

/** Keeps the request of a search as an evaluation: it should find what is used. */
function Evaluate({ id, used }: { id: string; used: ReadonlySet<string> }) {
  const [said, setSaid] = useState<"missing" | "done">();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const evaluate = async () => {
    setError(undefined);
    if (used.size === 0) return setSaid("missing");
    setBusy(true);
    try {
      const expected = [...used].slice(0, EVALUATION_EXPECTED_MAX);
      await engram().evaluations.create({ from_recall: id, expected });
      setSaid("done");
    } catch (failure) {
      setError(failure);
    }
    setBusy(false);
  };
  return (
    <>
      <span role="status">
        {said === "done" && (
          <a href={linkTo(["evaluations"])}>
            <Badge tone="good">{texts.evaluated}</Badge>
          </a>
        )}
        {said === "missing" && used.size === 0 && <span class="note">{texts.evaluateFirst}</span>}
      </span>
      <button type="button" disabled={isBusy} onClick={evaluate}>
        {texts.evaluate}
      </button>
      {error !== undefined && <Failure error={error} />}
    </>
  );
}

/** Notes the items that were used and what came of the answer. */
function Notes({ of: { id, outcome, noted_at }, used }: { of: Recall; used: ReadonlySet<string> }) {
  const [noted, setNoted] = useState(noted_at);
  const { error, run } = useAction();
  const save = (event: SubmitEvent) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget as HTMLFormElement).get("outcome")).trim();
    return run(async () => {
      const { noted_at: at } = await engram().recalls.update(id, { used: [...used], outcome: text || null });
      setNoted(at);
    });
  };
  return (
    <section class="missing" aria-label={texts.outcomeTitle}>
      <h2>{texts.outcomeTitle}</h2>
      <p class="note">{texts.outcomeText}</p>
      <form onSubmit={save}>
        <label>
          <span>{texts.outcome}</span>
          <input
            name="outcome"
            defaultValue={outcome ?? ""}
            placeholder={texts.outcomeExample}
            autoComplete="off"
          />
        </label>
        <button type="submit">{MESSAGES.save}</button>
        <span role="status" class="note">
          {noted !== null && (
            <>
              {texts.noted} <Time at={noted} />
            </>
          )}
        </span>
      </form>
      {error !== undefined && <Failure error={error} />}
    </section>
  );
}
