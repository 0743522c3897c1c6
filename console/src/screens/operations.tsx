import type { Operation } from "@engram/sdk";
import { useState } from "preact/hooks";
import { formatNumber } from "../format.ts";
import { useAction, useLoaded, usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Badge, Facts, Screen as Frame, Time } from "../parts/basics.tsx";
import { CREATED, WORK } from "../parts/columns.tsx";
import { type Filter, Filters, filtered } from "../parts/filters.tsx";
import { Receipt } from "../parts/receipt.tsx";
import { Empty, Failure, Loading } from "../parts/states.tsx";
import { PagedTable } from "../parts/table.tsx";
import { Text } from "../parts/text.tsx";
import { route } from "../route.ts";
import { engram } from "../session.ts";

const texts = MESSAGES.operations;
const { filterLabels, columns } = MESSAGES;

const FILTERS: readonly Filter[] = [
  { name: "type", label: filterLabels.type, choices: Object.keys(MESSAGES.operationTypes) },
  { name: "status", label: columns.status, choices: Object.keys(MESSAGES.statuses) },
];

export function Screen() {
  const pages = usePages(
    (signal) => engram().operations.list({ ...filtered(FILTERS), limit: 50 }, { signal }),
    [route.value.query.toString()],
  );
  return (
    <Frame title={texts.title}>
      <SearchIndex reload={pages.reload} />
      <h2>{texts.operations}</h2>
      <Filters filters={FILTERS} />
      <PagedTable<Operation>
        pages={pages}
        label={texts.operations}
        empty={<Empty title={texts.none}>{texts.noneText}</Empty>}
        columns={[
          ...WORK,
          {
            title: columns.target,
            kind: "minor",
            cell: ({ target_id }) => (
              <code>
                <Text of={target_id} />
              </code>
            ),
          },
          CREATED,
          {
            title: columns.completed,
            kind: "minor",
            cell: ({ completed_at }) => completed_at && <Time at={completed_at} />,
          },
        ]}
      />
    </Frame>
  );
}

/** What waits for the search index, and the repair. */
function SearchIndex({ reload }: { reload(): void }) {
  const loaded = useLoaded((signal) => engram().index.status({}, { signal }), []);
  const [repair, setRepair] = useState<Operation>();
  const { error, run } = useAction();
  const start = () =>
    run(async () => {
      setRepair(await engram().index.repair());
      reload();
    });
  if (loaded.error !== undefined) return <Failure error={loaded.error} retry={loaded.reload} />;
  if (loaded.value === undefined) return <Loading rows={2} />;
  const index = loaded.value;
  const isReady = index.pending === 0 && index.failed === 0;
  return (
    <section class="card">
      <header class="card-head">
        <h2>
          {texts.index}{" "}
          <Badge tone={index.failed > 0 ? "bad" : isReady ? "good" : "busy"}>
            {index.failed > 0 ? texts.hasFailed : isReady ? texts.upToDate : texts.indexing}
          </Badge>
        </h2>
        <div class="actions">
          <button type="button" onClick={loaded.reload}>
            {MESSAGES.refresh}
          </button>
          <button type="button" onClick={start}>
            {texts.repair}
          </button>
        </div>
      </header>
      <Facts
        of={[
          [texts.stored, formatNumber(index.messages)],
          [texts.pending, formatNumber(index.pending)],
          [texts.failed, formatNumber(index.failed)],
          [texts.chunks, formatNumber(index.chunks)],
          [texts.otherModels, index.chunks_of_other_models > 0 && formatNumber(index.chunks_of_other_models)],
          [texts.deletions, formatNumber(index.deletions_pending)],
          [texts.model, `${index.model} (${index.dimensions})`],
          [texts.lowerBounds, !index.complete && texts.lowerBoundsText],
          [
            texts.lastError,
            index.last_error && (
              <>
                <Text of={index.last_error.message} /> <Time at={index.last_error.at} />
              </>
            ),
          ],
        ]}
      />
      {error !== undefined && <Failure error={error} />}
      {repair !== undefined && <Receipt of={repair} />}
    </section>
  );
}
