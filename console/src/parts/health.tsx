import type { IndexStatus, Webhook } from "@engram/sdk";
import type { ComponentChildren } from "preact";
import { formatNumber } from "../format.ts";
import { unlessForbidden, useLoaded } from "../load.ts";
import { MESSAGES } from "../messages.ts";
import { linkTo } from "../route.ts";
import { engram } from "../session.ts";
import { Badge, Time } from "./basics.tsx";
import { WhenLoaded } from "./states.tsx";
import { Text } from "./text.tsx";
import { WebhookState } from "./webhook-state.tsx";

const texts = MESSAGES.health;

const delivers = ({ enabled, paused_reason, failing_since }: Webhook): boolean =>
  enabled && (paused_reason ?? failing_since) === null;

/** One line if the index and the webhooks are well. Otherwise a line for each trouble. */
export function Health({ index }: { index: IndexStatus }) {
  // The state of the index is shown without webhooks to a key that may not list them.
  const webhooks = useLoaded(
    async (signal) => (await unlessForbidden(engram().webhooks.list({ signal })))?.items ?? [],
    [],
  );
  return (
    <section class="health" aria-label={texts.title}>
      <WhenLoaded of={webhooks} rows={1}>
        {(all) => {
          const delivering = all.filter(delivers);
          const troubled = all.filter((each) => each.enabled && !delivers(each));
          const isIndexed = index.pending === 0 && index.failed === 0;
          const isWell = isIndexed && troubled.length === 0;
          return (
            <>
              {(isIndexed || delivering.length > 0) && (
                <p class={isWell ? "well" : "note"}>
                  {isIndexed && texts.indexed} {delivering.length > 0 && texts.deliver(delivering.length)}
                </p>
              )}
              {index.pending > 0 && (
                <Trouble place={["operations"]} badge={<Badge tone="busy">{texts.indexing}</Badge>}>
                  {texts.pending(formatNumber(index.pending))}
                </Trouble>
              )}
              {index.failed > 0 && (
                <Trouble place={["operations"]} badge={<Badge tone="bad">{texts.notIndexed}</Badge>}>
                  {texts.failed(formatNumber(index.failed))}{" "}
                  {index.last_error !== null && <Text of={index.last_error.message} />}
                </Trouble>
              )}
              {troubled.map((webhook) => (
                <Trouble
                  key={webhook.id}
                  place={["webhooks", webhook.id]}
                  badge={<WebhookState of={webhook} />}
                >
                  {texts.webhook} <Text of={webhook.url} />{" "}
                  {webhook.failing_since !== null && (
                    <>
                      {texts.since} <Time at={webhook.failing_since} />
                    </>
                  )}
                </Trouble>
              ))}
            </>
          );
        }}
      </WhenLoaded>
    </section>
  );
}

function Trouble(props: { place: readonly string[]; badge: ComponentChildren; children: ComponentChildren }) {
  return (
    <p class="trouble">
      {props.badge}
      <a data-item href={linkTo(props.place)}>
        {props.children}
      </a>
    </p>
  );
}
