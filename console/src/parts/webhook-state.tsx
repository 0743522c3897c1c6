import type { Webhook } from "@engram/sdk";
import { MESSAGES } from "../messages.ts";
import { Badge } from "./basics.tsx";

const texts = MESSAGES.webhooks;

export function WebhookState({ of: { enabled, disabled_reason, failing_since } }: { of: Webhook }) {
  if (!enabled)
    return <Badge tone={disabled_reason === "requested" ? "plain" : "bad"}>{texts.disabled}</Badge>;
  return failing_since === null ? (
    <Badge tone="good">{texts.active}</Badge>
  ) : (
    <Badge tone="bad">{texts.failing}</Badge>
  );
}
