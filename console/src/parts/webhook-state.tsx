import type { Webhook } from "@engram/sdk";
import { WEBHOOKS } from "../webhook-messages.ts";
import { Badge } from "./basics.tsx";

const texts = WEBHOOKS;

export function WebhookState({ of: { enabled, paused_reason, failing_since } }: { of: Webhook }) {
  if (!enabled) return <Badge tone="plain">{texts.disabled}</Badge>;
  if (paused_reason !== null) return <Badge tone="bad">{texts.paused}</Badge>;
  return failing_since === null ? (
    <Badge tone="good">{texts.active}</Badge>
  ) : (
    <Badge tone="bad">{texts.failing}</Badge>
  );
}
