import { useState } from "preact/hooks";
import { EVALUATIONS } from "../evaluation-messages.ts";
import { discardQueries, type LocalQuery, localQueries, uploadQueries } from "../local-queries.ts";
import { Failure } from "./states.tsx";
import { Text } from "./text.tsx";

const texts = EVALUATIONS;

/** Offers to upload the queries that an earlier release kept in this browser. Nothing if it kept none. */
export function LocalQueries({ uploaded }: { uploaded(): void }) {
  const [failed, setFailed] = useState<readonly { query: LocalQuery; error: unknown }[]>([]);
  const [isBusy, setBusy] = useState(false);
  const queries = localQueries.value;
  if (queries.length === 0) return null;
  const upload = async () => {
    setBusy(true);
    setFailed(await uploadQueries());
    setBusy(false);
    uploaded();
  };
  return (
    <section class="card" aria-label={texts.local(queries.length)}>
      <header class="card-head">
        <div>
          <strong>{texts.local(queries.length)}</strong>
          <p class="note">{texts.localText}</p>
        </div>
        <div class="actions">
          <button type="button" class="danger" disabled={isBusy} onClick={discardQueries}>
            {texts.discard}
          </button>
          <button type="button" class="primary" disabled={isBusy} onClick={upload}>
            {isBusy ? texts.uploading : texts.upload}
          </button>
        </div>
      </header>
      {failed.map(({ query, error }) => (
        <div key={query.search}>
          <strong>
            <Text of={new URLSearchParams(query.search).get("q") ?? ""} />
          </strong>
          {error === null ? <p>{texts.gone}</p> : <Failure error={error} />}
        </div>
      ))}
    </section>
  );
}
