import type { Delivery, Webhook, WebhookAttempt } from "@engram/sdk";
import { useState } from "preact/hooks";
import { formatNumber } from "../format.ts";
import { usePages } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { engram } from "../session.ts";
import { WEBHOOKS } from "../webhook-messages.ts";
import { Badge, Time } from "./basics.tsx";
import { type Filter, Filters, filterValue } from "./filters.tsx";
import { Empty, Failure } from "./states.tsx";
import { PagedTable } from "./table.tsx";

const texts = WEBHOOKS;
const { columns } = MESSAGES;
const TONES = { pending: "busy", delivered: "good", skipped: "plain" } as const;

const FILTERS: readonly Filter[] = [
  { name: "status", label: columns.status, choices: Object.keys(texts.deliveryStatuses) },
];

/** Events of which an attempt failed, each with its attempts. `changed` is called once an event is skipped. */
export function Deliveries({ of: { id }, changed }: { of: Webhook; changed(): void }) {
  const status = filterValue<Delivery["status"]>("status");
  const pages = usePages(
    (signal) => engram().webhooks.listDeliveries(id, { limit: 50, ...(status && { status }) }, { signal }),
    [id, status],
  );
  const [error, setError] = useState<unknown>();
  const skip = async (delivery: Delivery) => {
    setError(undefined);
    try {
      await engram().webhooks.skipDelivery(id, delivery.id);
      pages.reload();
      changed();
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <section>
      <header class="section-head">
        <h2>{texts.deliveries}</h2>
        <button type="button" class="small" onClick={pages.reload}>
          {MESSAGES.refresh}
        </button>
      </header>
      <Filters filters={FILTERS} />
      {error !== undefined && <Failure error={error} />}
      <PagedTable<Delivery>
        pages={pages}
        label={texts.deliveries}
        empty={
          status === undefined ? (
            <Empty title={texts.noDeliveries}>{texts.noDeliveriesText}</Empty>
          ) : (
            <Empty title={texts.noDeliveryMatches} />
          )
        }
        columns={[
          { title: columns.sequence, kind: "number", cell: ({ sequence }) => sequence },
          {
            title: columns.status,
            cell: (delivery) => (
              <Badge tone={TONES[delivery.status]}>{texts.deliveryStatuses[delivery.status]}</Badge>
            ),
          },
          { title: columns.attempts, kind: "wide", cell: ({ attempts }) => <Attempts of={attempts} /> },
          {
            title: columns.nextAttempt,
            kind: "minor",
            cell: ({ next_attempt_at }) => next_attempt_at && <Time at={next_attempt_at} />,
          },
          {
            title: "",
            cell: (delivery) =>
              delivery.status === "pending" && (
                <div class="actions">
                  <button type="button" class="small" onClick={() => skip(delivery)}>
                    {texts.skip}
                  </button>
                </div>
              ),
          },
        ]}
      />
    </section>
  );
}

/** The last attempt, and the earlier ones on request. */
function Attempts({ of: attempts }: { of: readonly WebhookAttempt[] }) {
  const last = attempts.at(-1);
  if (last === undefined) return null;
  if (attempts.length === 1) return <Attempt of={last} />;
  return (
    <>
      <Attempt of={last} />
      <details>
        <summary>{texts.attempts(attempts.length)}</summary>
        <ol class="attempts">
          {attempts.map((attempt) => (
            <li key={attempt.started_at}>
              <Attempt of={attempt} />
            </li>
          ))}
        </ol>
      </details>
    </>
  );
}

export function Attempt({ of: { error, status, started_at, duration_ms } }: { of: WebhookAttempt }) {
  return (
    <span class="attempt">
      <span class={error === null ? "good" : "bad"}>
        {error === null ? texts.arrived(status ?? 0) : texts.errors[error](status)}
      </span>{" "}
      <Time at={started_at} /> <span class="note">{texts.attemptMs(formatNumber(duration_ms))}</span>
    </span>
  );
}
