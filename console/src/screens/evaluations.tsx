import type { Evaluation, EvaluationResult } from "@engram/sdk";
import { PAGE_ITEMS_MAX } from "@engram/sdk/limits";
import { useEffect, useRef, useState } from "preact/hooks";
import { EVALUATIONS } from "../evaluation-messages.ts";
import { firstWords, formatNumber } from "../format.ts";
import { queryOf } from "../kept-request.ts";
import { usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { ActionDialog } from "../parts/action-dialog.tsx";
import { Badge, Facts, Tags } from "../parts/basics.tsx";
import { ListScreen } from "../parts/list-screen.tsx";
import { LocalQueries } from "../parts/local-queries.tsx";
import { Menu } from "../parts/menu.tsx";
import { Named } from "../parts/named.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { saveJson } from "../parts/save-json.ts";
import { Empty, Failure } from "../parts/states.tsx";
import type { Column } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { filtersOf, placeOfRequest } from "../recalled-request.ts";
import { linkTo } from "../route.ts";
import { engram } from "../session.ts";

const texts = EVALUATIONS;
const DIGITS = 2;

/** What runs of this visit found, by the id of the evaluation: what moved against the run before. */
type Results = ReadonlyMap<string, EvaluationResult>;

/** Searches with what they should find, and how well they find it. */
export function Screen() {
  const pages = usePages((signal) => engram().evaluations.list({ limit: PAGE_ITEMS_MAX }, { signal }), []);
  const { items } = pages;
  const [results, setResults] = useState<Results>(new Map());
  const [running, setRunning] = useState<number>();
  const [error, setError] = useState<unknown>();
  const [doomed, setDoomed] = useState<Evaluation>();
  const left = useRef(new AbortController());
  useEffect(() => () => left.current.abort(), []);
  const { signal } = left.current;
  const runOne = async (id: string) => {
    const result = await engram().evaluations.run(id, { signal });
    setResults((before) => new Map([...before, [id, result]]));
    pages.change((before) => before.map((each) => (each.id === id ? result.evaluation : each)));
  };
  const run = async (ids: AsyncIterable<{ id: string }> | readonly { id: string }[]) => {
    setError(undefined);
    setRunning(0);
    try {
      let done = 0;
      for await (const { id } of ids) {
        await runOne(id);
        done += 1;
        setRunning(done);
      }
    } catch (failure) {
      if (!signal.aborted) setError(failure);
    }
    setRunning(undefined);
  };
  const runAll = () => run(engram().evaluations.list({ limit: PAGE_ITEMS_MAX }, { signal }));
  return (
    <ListScreen
      texts={texts}
      pages={pages}
      columns={columnsWith(results, (evaluation) => run([evaluation]), setDoomed)}
      actions={
        items.length > 0 && (
          <>
            <button type="button" onClick={() => saveJson("evaluations", items)}>
              {texts.save}
            </button>
            <button type="button" class="primary" disabled={running !== undefined} onClick={runAll}>
              {running === undefined ? texts.runAll : texts.running(formatNumber(running))}
            </button>
          </>
        )
      }
      top={<LocalQueries uploaded={pages.reload} />}
      alert={
        <>
          {error !== undefined && <Failure error={error} retry={runAll} />}
          <Scores of={items} results={results} />
        </>
      }
      empty={
        <Empty title={texts.none}>
          <p>{texts.noneText}</p>
          <a href={linkTo(["search"])}>{MESSAGES.navigation.places.search}</a>
        </Empty>
      }
    >
      {doomed !== undefined && (
        <DeleteEvaluation
          of={doomed}
          close={() => setDoomed(undefined)}
          done={() => pages.change((before) => before.filter(({ id }) => id !== doomed.id))}
        />
      )}
    </ListScreen>
  );
}

/** How well the last runs of all that are shown did, and what moved in this visit. */
function Scores({ of: evaluations, results }: { of: readonly Evaluation[]; results: Results }) {
  const runs = evaluations.flatMap(({ last_run }) => last_run ?? []);
  if (runs.length === 0) return null;
  const repeated = [...results.values()].flatMap(({ evaluation: { last_run }, previous }) =>
    last_run === null || previous === null ? [] : [{ now: last_run.ndcg, before: previous.ndcg }],
  );
  const moved = [...results.values()].reduce((sum, each) => sum + each.moved.length, 0);
  const mean = meanOf(runs.map(({ ndcg }) => ndcg));
  const before = runs.length === repeated.length ? meanOf(repeated.map((each) => each.before)) : undefined;
  return (
    <section class="card totals" aria-label={texts.scores} role="status">
      <Facts
        of={[
          [
            texts.found,
            texts.share(formatNumber(runs.filter(({ any }) => any).length), formatNumber(runs.length)),
          ],
          [texts.mean, before === undefined ? mean : texts.meanBefore(mean, before)],
          [texts.moved, repeated.length > 0 && formatNumber(moved)],
        ]}
      />
    </section>
  );
}

const meanOf = (values: readonly number[]): string =>
  (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(DIGITS);

const titleOf = (evaluation: Evaluation): string => firstWords(queryOf(evaluation));

const columnsWith = (
  results: Results,
  run: (evaluation: Evaluation) => void,
  remove: (evaluation: Evaluation) => void,
): readonly Column<Evaluation>[] => [
  {
    title: texts.query,
    kind: "wide",
    cell: (evaluation) => {
      const { path, query } = placeOfRequest(evaluation);
      return (
        <>
          <a data-item href={linkTo(path, query)}>
            <Text of={titleOf(evaluation)} />
          </a>
          <Tags tags={filtersOf(evaluation)} />
          <div class="for-minor">
            <Expected of={evaluation} result={results.get(evaluation.id)} />
          </div>
        </>
      );
    },
  },
  {
    title: texts.expected,
    kind: "minor",
    cell: (evaluation) => <Expected of={evaluation} result={results.get(evaluation.id)} />,
  },
  {
    title: texts.found,
    cell: ({ last_run, depth }) =>
      last_run && (
        <span title={texts.foundText(depth)}>
          <Badge tone={last_run.any ? "good" : "bad"}>{last_run.any ? texts.yes : texts.no}</Badge>{" "}
          <span class="note">{texts.foundIn(depth)}</span>
        </span>
      ),
  },
  {
    title: texts.ndcg,
    kind: "number",
    cell: ({ last_run }) => last_run && <span title={texts.ndcgText}>{last_run.ndcg.toFixed(DIGITS)}</span>,
  },
  {
    title: texts.lastRun,
    kind: "extra",
    cell: ({ last_run }) =>
      last_run === null ? <span class="note">{texts.never}</span> : <RelativeTime at={last_run.run_at} />,
  },
  {
    title: "",
    cell: (evaluation) => (
      <Menu
        label={texts.actionsOf(titleOf(evaluation))}
        items={[
          { label: texts.run, act: () => run(evaluation) },
          { label: `${texts.delete}…`, isDanger: true, act: () => remove(evaluation) },
        ]}
      />
    ),
  },
];

/** What a search should find, each with its rank in the last run, and the one before if it moved. */
function Expected({
  of: { expected, last_run },
  result,
}: {
  of: Evaluation;
  result: EvaluationResult | undefined;
}) {
  const ranks = new Map(last_run?.ranks.map(({ id, rank }) => [id, rank]));
  const moved = new Map(result?.moved.map(({ id, before }) => [id, before]));
  return (
    <ul>
      {expected.map((id) => {
        const rank = ranks.get(id);
        const before = moved.get(id);
        const isMemory = id.startsWith("mem_");
        return (
          <li key={id} class="with-copy">
            <a title={id} href={linkTo([isMemory ? "memories" : "messages", id])}>
              {isMemory ? texts.memory : texts.message}
            </a>{" "}
            {rank !== undefined && (
              <Badge tone={rank === null ? "bad" : rank === 1 ? "good" : "plain"}>
                {rank === null ? texts.notFound : texts.rank(rank)}
              </Badge>
            )}{" "}
            {before !== undefined && <span class="note">{texts.before(before)}</span>}
          </li>
        );
      })}
    </ul>
  );
}

function DeleteEvaluation({ of: evaluation, close, done }: { of: Evaluation; close(): void; done(): void }) {
  const remove = async () => {
    await engram().evaluations.delete(evaluation.id);
    close();
    done();
  };
  return (
    <ActionDialog title={texts.deleteTitle} label={texts.delete} isDanger act={remove} close={close}>
      <Named of={titleOf(evaluation)}>{texts.deleteText}</Named>
    </ActionDialog>
  );
}
