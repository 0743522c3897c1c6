import type { WebhookTest } from "@engram/sdk";
import { useState } from "preact/hooks";
import { useLoaded } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { Facts, Screen as Frame, Id, Time } from "../parts/basics.tsx";
import { Attempt, Deliveries } from "../parts/deliveries.tsx";
import { ItemState } from "../parts/item-state.tsx";
import { Failure } from "../parts/states.tsx";
import { Text } from "../parts/text.tsx";
import { type WebhookAction, WebhookDialog } from "../parts/webhook-dialog.tsx";
import { eventsOf } from "../parts/webhook-fields.tsx";
import { WebhookState } from "../parts/webhook-state.tsx";
import { route } from "../route.ts";
import { engram } from "../session.ts";
import { WEBHOOKS } from "../webhook-messages.ts";

const texts = WEBHOOKS;
const { columns } = MESSAGES;

export function Screen() {
  const id = route.value.path[1] ?? "";
  const loaded = useLoaded((signal) => engram().webhooks.get(id, { signal }), [id]);
  const [asked, setAsked] = useState<WebhookAction>();
  const webhook = loaded.value;
  if (webhook === undefined || loaded.error !== undefined) return <ItemState title={texts.one} of={loaded} />;
  const ask = (action: WebhookAction, label: string, kind?: string) => (
    <button type="button" class={kind} onClick={() => setAsked(action)}>
      {label}
    </button>
  );
  return (
    <Frame
      title={texts.one}
      note={<Id id={id} />}
      actions={
        <>
          {ask("edit", MESSAGES.edit)}
          {(webhook.paused_reason ?? webhook.failing_since) !== null && (
            <Change label={texts.resume} make={() => engram().webhooks.resume(id)} done={loaded.reload} />
          )}
          <Change
            label={webhook.enabled ? texts.disable : texts.enable}
            make={() => engram().webhooks.update(id, { enabled: !webhook.enabled })}
            done={loaded.reload}
          />
          {ask("after", texts.after)}
          {ask("rotate", texts.rotate)}
          {ask("delete", texts.delete, "danger")}
        </>
      }
    >
      <Facts
        of={[
          [columns.url, <Text key="url" of={webhook.url} />],
          [columns.status, <WebhookState key="state" of={webhook} />],
          [texts.because, webhook.paused_reason && texts.pausedBecause[webhook.paused_reason]],
          [texts.failingSince, webhook.failing_since && <Time at={webhook.failing_since} />],
          [columns.events, eventsOf(webhook)],
          [columns.sentUpTo, String(webhook.after)],
          [texts.missedUpTo, webhook.missed_up_to && String(webhook.missed_up_to)],
          [columns.created, <Time key="created" at={webhook.created_at} />],
          [columns.updated, <Time key="updated" at={webhook.updated_at} />],
        ]}
      />
      <Test id={id} />
      <Deliveries of={webhook} changed={loaded.reload} />
      {asked !== undefined && (
        <WebhookDialog
          of={webhook}
          action={asked}
          close={() => {
            setAsked(undefined);
            loaded.reload();
          }}
        />
      )}
    </Frame>
  );
}

/** A button that changes the webhook at once. */
function Change({ label, make, done }: { label: string; make(): Promise<unknown>; done(): void }) {
  const [error, setError] = useState<unknown>();
  const change = () => {
    setError(undefined);
    return make().then(done, setError);
  };
  return (
    <>
      <button type="button" onClick={change}>
        {label}
      </button>
      {error !== undefined && <Failure error={error} />}
    </>
  );
}

/** Sends one event now, and shows how the receiver answered. */
function Test({ id }: { id: string }) {
  const [result, setResult] = useState<WebhookTest>();
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    setError(undefined);
    setResult(undefined);
    try {
      setResult(await engram().webhooks.test(id));
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section class="card test-event" aria-label={texts.testEvent}>
      <button type="button" disabled={isBusy} onClick={send}>
        {isBusy ? texts.testing : texts.test}
      </button>
      <div aria-live="polite">{result !== undefined && <Attempt of={result.attempt} />}</div>
      {error !== undefined && <Failure error={error} />}
    </section>
  );
}
