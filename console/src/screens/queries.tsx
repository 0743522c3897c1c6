import { useEffect, useRef, useState } from "preact/hooks";
import { formatNumber } from "../format.ts";
import { MESSAGES } from "../messages.ts";
import { Badge, Facts, Screen as Frame, Tags } from "../parts/basics.tsx";
import { RelativeTime } from "../parts/relative-time.tsx";
import { saveJson } from "../parts/save-json.ts";
import { Empty, Failure } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { linkTo } from "../route.ts";
import { rankOf, removeQuery, type SavedQuery, savedQueries, scoreOf } from "../saved-queries.ts";
import { OF_EACH_SIDE, SHARED, searchBody } from "../search-body.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.queries;
/** Results of a replayed search, among which the right answer is looked for. */
const RESULTS = 50;

/** Rank of each replayed query, by its id. Null if its right answer was not found. */
type Ranks = ReadonlyMap<string, number | null>;

/** The queries that were saved with their right answers, and how well the search answers them now. */
export function Screen() {
  const queries = savedQueries.value;
  const [ranks, setRanks] = useState<Ranks>(new Map());
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const left = useRef(new AbortController());
  useEffect(() => () => left.current.abort(), []);
  const replay = async () => {
    const { signal } = left.current;
    setBusy(true);
    setError(undefined);
    setRanks(new Map());
    try {
      for (const { id, search, expected } of queries) {
        const rank = rankOf(expected, await engram().search(bodyOf(search), { signal }));
        setRanks((before) => new Map([...before, [id, rank]]));
      }
    } catch (failure) {
      if (!signal.aborted) setError(failure);
    } finally {
      if (!signal.aborted) setBusy(false);
    }
  };
  return (
    <Frame
      title={texts.title}
      note={texts.note}
      actions={
        queries.length > 0 && (
          <>
            <button type="button" onClick={() => saveJson("saved-queries", queries)}>
              {texts.save}
            </button>
            <button type="button" class="primary" disabled={isBusy} onClick={replay}>
              {isBusy
                ? texts.replaying(formatNumber(ranks.size), formatNumber(queries.length))
                : texts.replay}
            </button>
          </>
        )
      }
    >
      {error !== undefined && <Failure error={error} retry={replay} />}
      {ranks.size > 0 && (
        <Scores of={queries.flatMap(({ id }) => ranks.get(id) ?? (ranks.has(id) ? null : []))} />
      )}
      {queries.length === 0 ? (
        <Empty title={texts.none}>
          <p>{texts.noneText}</p>
          <a href={linkTo(["search"])}>{MESSAGES.navigation.places.search}</a>
        </Empty>
      ) : (
        <Table items={queries} columns={columnsWith(ranks)} label={texts.title} />
      )}
    </Frame>
  );
}

const bodyOf = (search: string) => {
  const values = new URLSearchParams(search);
  return { ...searchBody((name) => values.get(name) ?? undefined), limit: RESULTS, explain: false };
};

function Scores({ of: ranks }: { of: readonly (number | null)[] }) {
  const { queries, first, firstTen, reciprocalRank } = scoreOf(ranks);
  return (
    <section class="card" aria-label={texts.score} role="status">
      <Facts
        of={[
          [texts.first, texts.share(first, queries)],
          [texts.firstTen, texts.share(firstTen, queries)],
          [texts.reciprocalRank, reciprocalRank.toFixed(2)],
        ]}
      />
    </section>
  );
}

const columnsWith = (ranks: Ranks): readonly Column<SavedQuery>[] => [
  {
    title: texts.query,
    kind: "wide",
    cell: ({ search }) => {
      const query = new URLSearchParams(search);
      return (
        <>
          <a data-item href={linkTo(["search"], Object.fromEntries(query))}>
            <Text of={query.get("q") ?? ""} />
          </a>
          <Tags tags={filtersIn(query)} />
        </>
      );
    },
  },
  { title: texts.answer, kind: "minor", cell: ({ expected }) => <Answer of={expected} /> },
  { title: texts.before, kind: "minor number", cell: ({ rank_when_saved: rank }) => <Rank of={rank} /> },
  {
    title: texts.now,
    kind: "number",
    cell: ({ id }) => ranks.has(id) && <Rank of={ranks.get(id) ?? null} isNow />,
  },
  { title: texts.saved, kind: "extra", cell: ({ saved_at }) => <RelativeTime at={saved_at} /> },
  {
    title: "",
    cell: ({ id }) => (
      <div class="actions">
        <button type="button" class="small danger" onClick={() => removeQuery(id)}>
          {texts.remove}
        </button>
      </div>
    ),
  },
];

/** The filters of a search, as texts. */
const filtersIn = (query: URLSearchParams): string[] =>
  [...OF_EACH_SIDE, ...SHARED].flatMap(({ name, label }) => {
    const value = query.get(name);
    return value === null ? [] : [`${label}: ${value}`];
  });

function Answer({ of: expected }: { of: SavedQuery["expected"] }) {
  if ("memory_id" in expected) return <a href={linkTo(["memories", expected.memory_id])}>{texts.memory}</a>;
  const { conversation_id, sequence } = expected;
  return (
    <a href={linkTo(["conversations", conversation_id], { at: String(sequence) })}>
      {texts.message(sequence)}
    </a>
  );
}

function Rank({ of: rank, isNow = false }: { of: number | null; isNow?: boolean }) {
  if (rank === null)
    return isNow ? <Badge tone="bad">{texts.notFound}</Badge> : <span>{texts.notFound}</span>;
  return isNow ? <Badge tone={rank === 1 ? "good" : "busy"}>{rank}</Badge> : <span>{rank}</span>;
}
