import { createRoute, z } from "@hono/zod-openapi";
import {
  bodyProblems,
  Cursor,
  count,
  IdempotencyHeaders,
  id,
  jsonAnswer,
  jsonBody,
  keyProblems,
  PageLimit,
  page,
  requires,
  sdkExample,
  timestamp,
  writeProblems,
} from "./common.ts";
import { EVENT_TYPES, Event, EventSequence, EventType } from "./events.ts";
import { WEBHOOK_TESTS_MAX, WEBHOOK_URL_CHARACTERS_MAX, WEBHOOKS_MAX } from "./limits.ts";
import { problems } from "./problem.ts";

export const WebhookId = id("Id of a webhook.", "wh_06e3tqz8m1k4v9x2c7d0");

const WebhookUrl = z
  .string()
  .min(1)
  .max(WEBHOOK_URL_CHARACTERS_MAX)
  .regex(/^https?:\/\//, "must begin with https://")
  .meta({
    description:
      "URL that events are sent to: `https`, with a public host name, and the port 443 or 8443. Addresses and internal names are refused. Hosts that the operator allows may be internal, and have any port and `http`.",
    examples: ["https://hooks.example.com/engram"],
  });

const Types = z
  .array(EventType)
  .min(1)
  .max(EVENT_TYPES.length)
  .nullable()
  .meta({ description: "Types of events to send; null for all.", examples: [["messages.appended"]] });

const Enabled = z.boolean().meta({ description: "Whether you want events to be sent." });

const After = z.union([z.literal("now"), EventSequence]).meta({
  description:
    "Sequence after which events are sent: a number of the past to send them again, or `now` for events from now on.",
});

export const Webhook = z
  .strictObject({
    id: WebhookId,
    url: WebhookUrl,
    types: Types,
    enabled: Enabled,
    paused_reason: z.enum(["gone", "failing"]).nullable().meta({
      description:
        "Why the service has paused the webhook: `failing` after the last attempt at an event, five days after the first, or `gone` after the response 410. Events keep their place until `resumeWebhook` or `skipDelivery`. Null unless paused.",
    }),
    after: EventSequence.meta({ description: "Sequence of the last event that was delivered or skipped." }),
    failing_since: timestamp(
      "Time of the first failed attempt at the event that is sent next; null if none failed.",
    ).nullable(),
    missed_up_to: EventSequence.nullable().meta({
      description:
        "Sequence of the last event that was deleted from the log before it was sent, because the webhook was more than seven days or a million events behind. Read your data again. Null if none was; an update of `after` resets it.",
    }),
    created_at: timestamp("Time when the webhook was created."),
    updated_at: timestamp("Time of the last change of its settings."),
  })
  .meta({ description: "A URL that events are sent to. Its secret is not included." })
  .openapi("Webhook");
export type Webhook = z.infer<typeof Webhook>;

export const WebhookWithSecret = z
  .strictObject({
    ...Webhook.shape,
    secret: z.string().meta({
      description:
        "Secret that verifies the signatures, in the form of Standard Webhooks. It is shown only in this response.",
      examples: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
    }),
  })
  .meta({ description: "A webhook with its secret, which is shown only once." })
  .openapi("WebhookWithSecret");
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

export const CreateWebhookBody = z
  .strictObject({
    url: WebhookUrl,
    types: Types.optional(),
    enabled: Enabled.default(true).meta({ description: "Whether events are sent. Default `true`." }),
    after: After.default("now").meta({
      description:
        "Sequence after which events are sent: a number of the past to send earlier ones too. Default `now`.",
    }),
  })
  .openapi("CreateWebhookBody", { example: { url: "https://hooks.example.com/engram" } });

export const createWebhook = createRoute({
  operationId: "createWebhook",
  ...sdkExample(`
    const { id, secret } = await engram.webhooks.create({
      url: "https://hooks.example.com/engram",
      types: ["messages.appended"],
    });
  `),
  method: "post",
  path: "/v1/webhooks",
  tags: ["Webhooks"],
  summary: "Create a webhook",
  description: `Creates a webhook: each event is sent to its URL by POST, signed as Standard Webhooks 1.0 states. The body is \`{type, timestamp, data}\`, and \`data\` is the event, which has ids and numbers, never content. The header \`webhook-id\` is the id of the event, also when it is sent again. Delivery is at least once and in order, one request at a time. Any status of 200 to 299 within 10 seconds is a success; a redirect is a failure. A failed event is tried again after 5 seconds, 5 and 30 minutes, then 2, 5, 10, 14, 20, 20, 24 and 24 hours: five days in all. Later events wait for it. After the last attempt, the webhook is paused. An organization has at most ${WEBHOOKS_MAX} webhooks. The secret is shown only in this response, so a repeat with the same idempotency key fails with 409, whose \`detail\` names the id of the webhook.`,
  security: requires("admin"),
  request: { headers: IdempotencyHeaders, body: jsonBody(CreateWebhookBody) },
  responses: {
    201: jsonAnswer("The webhook with its secret.", WebhookWithSecret),
    ...problems(
      ...bodyProblems,
      "too_many_webhooks",
      "secret_already_shown",
      "idempotency_mismatch",
      ...writeProblems,
    ),
  },
});

export const listWebhooks = createRoute({
  operationId: "listWebhooks",
  ...sdkExample(`
    const { items } = await engram.webhooks.list();
    for (const { id, url, enabled } of items) console.log(id, url, enabled);
  `),
  method: "get",
  path: "/v1/webhooks",
  tags: ["Webhooks"],
  summary: "List webhooks",
  description: `Returns all webhooks of the organization, at most ${WEBHOOKS_MAX}, oldest first. Never returns secrets.`,
  security: requires("admin"),
  responses: {
    200: jsonAnswer(
      "The webhooks.",
      z
        .strictObject({ items: z.array(Webhook).meta({ description: "The webhooks, oldest first." }) })
        .meta({ description: "The webhooks of an organization." })
        .openapi("WebhookList"),
    ),
    ...problems(...keyProblems),
  },
});

const params = z.object({ webhook_id: WebhookId });

export const getWebhook = createRoute({
  operationId: "getWebhook",
  ...sdkExample(`
    const { id } = await engram.webhooks.create({ url: "https://hooks.example.com/engram" });
    const { enabled, after } = await engram.webhooks.get(id);
  `),
  method: "get",
  path: "/v1/webhooks/{webhook_id}",
  tags: ["Webhooks"],
  summary: "Get a webhook",
  description: "Returns a webhook, without its secret.",
  security: requires("admin"),
  request: { params },
  responses: { 200: jsonAnswer("The webhook.", Webhook), ...problems("not_found", ...keyProblems) },
});

export const UpdateWebhookBody = z
  .strictObject({
    url: WebhookUrl.optional(),
    types: Types.optional(),
    enabled: Enabled.optional(),
    after: After.optional(),
  })
  .openapi("UpdateWebhookBody", { example: { enabled: false } });

export const updateWebhook = createRoute({
  operationId: "updateWebhook",
  ...sdkExample(`
    const { id } = await engram.webhooks.create({ url: "https://hooks.example.com/engram" });
    await engram.webhooks.update(id, { types: ["memory.created", "memory.deleted"] });
  `),
  method: "patch",
  path: "/v1/webhooks/{webhook_id}",
  tags: ["Webhooks"],
  summary: "Update a webhook",
  description:
    "Changes the fields that the body has. A failed event is tried again soon, and its schedule starts again; `resumeWebhook` ends a pause. A webhook that is enabled again continues after its last event. Events older than seven days are no longer in the log. A request that is being sent is not stopped.",
  security: requires("admin"),
  request: { params, body: jsonBody(UpdateWebhookBody) },
  responses: {
    200: jsonAnswer("The webhook.", Webhook),
    ...problems(...bodyProblems, "not_found", ...writeProblems),
  },
});

export const deleteWebhook = createRoute({
  operationId: "deleteWebhook",
  ...sdkExample(`
    const { id } = await engram.webhooks.create({ url: "https://hooks.example.com/engram" });
    await engram.webhooks.delete(id);
  `),
  method: "delete",
  path: "/v1/webhooks/{webhook_id}",
  tags: ["Webhooks"],
  summary: "Delete a webhook",
  description: "Deletes a webhook. A request that has begun may still arrive.",
  security: requires("admin"),
  request: { params },
  responses: {
    200: jsonAnswer("The deleted webhook.", Webhook),
    ...problems("not_found", ...writeProblems),
  },
});

export const rotateWebhook = createRoute({
  operationId: "rotateWebhook",
  ...sdkExample(`
    const { id } = await engram.webhooks.create({ url: "https://hooks.example.com/engram" });
    const { secret } = await engram.webhooks.rotate(id);
  `),
  method: "post",
  path: "/v1/webhooks/{webhook_id}/rotate",
  tags: ["Webhooks"],
  summary: "Rotate the secret of a webhook",
  description:
    "Gives the webhook a new secret, which is shown only in this response. For 24 hours, requests are signed with both the new and the old secret. A second rotation in that time ends the signatures with the old one. The webhook stays the same, so the request creates nothing and takes no idempotency key.",
  security: requires("admin"),
  request: { params },
  responses: {
    200: jsonAnswer("The webhook with its new secret.", WebhookWithSecret),
    ...problems("not_found", ...writeProblems),
  },
});

export const WebhookAttempt = z
  .strictObject({
    started_at: timestamp("Time when the request was sent."),
    duration_ms: count("Milliseconds until the response, or until the attempt failed."),
    status: z
      .int()
      .nullable()
      .meta({ description: "HTTP status of the response; null if none arrived.", examples: [503] }),
    error: z
      .enum([
        "status",
        "redirect",
        "timeout",
        "name_not_resolved",
        "connection_failed",
        "tls_failed",
        "connection_closed",
        "invalid_response",
        "no_response",
        "url_refused",
        "secret_unreadable",
      ])
      .nullable()
      .meta({
        description:
          "Why the attempt failed; null if it succeeded. `status`: the response was not 200 to 299. `redirect`: it was a redirect, which is not followed. `timeout`: no response within 10 seconds. `name_not_resolved`: the host name has no address. `connection_failed`: the receiver accepted no connection. `tls_failed`: the TLS handshake failed, for example because the certificate is not valid. `connection_closed`: the connection ended before the response. `invalid_response`: the response was not HTTP, or its headers were too large. `no_response`: no response, for a reason that is not known. `url_refused`: the URL or the address of its host is not public. `secret_unreadable`: the service has another admin token than when the secret was made; rotate the secret.",
      }),
  })
  .meta({ description: "One request that sent an event. Nothing of the response is kept but its status." })
  .openapi("WebhookAttempt");
export type WebhookAttempt = z.infer<typeof WebhookAttempt>;

export const WebhookTestEvent = z
  .strictObject({
    ...Event.shape,
    id: id("Id of the event. Each test has another.", "evt_06e3tqz8m1k4v9x2c7d0"),
    sequence: z.literal(0).meta({ description: "Always 0: the event is not in the log." }),
    type: z.literal("webhook.test").meta({ description: "Always `webhook.test`." }),
    created_at: timestamp("Time of the test."),
  })
  .meta({ description: "The event that a test sends. It has the fields of an event, and its ids are null." })
  .openapi("WebhookTestEvent");
export type WebhookTestEvent = z.infer<typeof WebhookTestEvent>;

export const WebhookTest = z
  .strictObject({
    event: WebhookTestEvent.meta({ description: "The event that was sent." }),
    attempt: WebhookAttempt.meta({ description: "How the request ended." }),
  })
  .meta({ description: "The result of a test." })
  .openapi("WebhookTest");
export type WebhookTest = z.infer<typeof WebhookTest>;

export const testWebhook = createRoute({
  operationId: "testWebhook",
  ...sdkExample(`
    const { id } = await engram.webhooks.create({ url: "https://hooks.example.com/engram", enabled: false });
    const { attempt } = await engram.webhooks.test(id);
    console.log(attempt.error ?? "delivered", attempt.status);
  `),
  method: "post",
  path: "/v1/webhooks/{webhook_id}/test",
  tags: ["Webhooks"],
  summary: "Test a webhook",
  description: `Sends one event of the type \`webhook.test\` to the URL, signed as every event is, and returns how the receiver responded. It is not retried, does not change the webhook, and also works while the webhook is disabled or paused. A webhook has at most ${WEBHOOK_TESTS_MAX} tests in a minute, which begins with the first of them; a further one gets 429 with \`Retry-After\`, and sends nothing.`,
  security: requires("admin"),
  request: { params },
  responses: {
    200: jsonAnswer("The event, and how the request ended.", WebhookTest),
    ...problems("not_found", ...writeProblems),
  },
});

export const DELIVERY_STATUSES = ["pending", "delivered", "skipped"] as const;
export const DeliveryStatus = z.enum(DELIVERY_STATUSES);
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

export const DeliveryId = id("Id of a delivery: the id of its event.", "evt_06e3tqz8m1k4v9x2c7d0_1042");

export const Delivery = z
  .strictObject({
    id: DeliveryId,
    sequence: EventSequence,
    status: DeliveryStatus.meta({
      description:
        "`pending`: the event will be sent. `delivered`: the receiver has it. `skipped`: it is not sent any more, after `skipDelivery` or an update of `after` or `types`.",
    }),
    next_attempt_at: timestamp(
      "Earliest time of the next attempt; null if there is none, if it is due, or while the webhook is paused or disabled.",
    ).nullable(),
    attempts: z.array(WebhookAttempt).meta({ description: "The last 12 attempts, oldest first." }),
  })
  .meta({ description: "An event of which an attempt failed." })
  .openapi("Delivery");
export type Delivery = z.infer<typeof Delivery>;

export const listDeliveries = createRoute({
  operationId: "listDeliveries",
  ...sdkExample(`
    const { id } = await engram.webhooks.create({ url: "https://hooks.example.com/engram" });
    for await (const { sequence, attempts } of engram.webhooks.listDeliveries(id, { status: "pending" }))
      console.log(sequence, attempts.at(-1)?.error);
  `),
  method: "get",
  path: "/v1/webhooks/{webhook_id}/deliveries",
  tags: ["Webhooks"],
  summary: "List deliveries of a webhook",
  description:
    "Returns events of which an attempt failed, newest event first, with their last attempts. An event that was delivered at the first attempt is not listed: `after` of the webhook says up to where all were sent. A webhook keeps 500 deliveries, as long as their events are in the log, which is at most seven days.",
  security: requires("admin"),
  request: {
    params,
    query: z.strictObject({
      status: DeliveryStatus.optional().openapi({ description: "Only deliveries with this status." }),
      limit: PageLimit.optional(),
      cursor: Cursor.optional(),
    }),
  },
  responses: {
    200: jsonAnswer("A page of deliveries.", page(Delivery, "DeliveryPage")),
    ...problems("validation_failed", "invalid_cursor", "not_found", ...keyProblems),
  },
});

export const resumeWebhook = createRoute({
  operationId: "resumeWebhook",
  ...sdkExample(`
    const { items } = await engram.webhooks.list();
    for (const { id, paused_reason } of items) if (paused_reason !== null) await engram.webhooks.resume(id);
  `),
  method: "post",
  path: "/v1/webhooks/{webhook_id}/resume",
  tags: ["Webhooks"],
  summary: "Resume a webhook",
  description:
    "Tries the failed event again now, in the background, and starts its schedule again. Ends a pause, and the wait for the next attempt. Later events follow in order. Changes nothing for a webhook without a failed event; a disabled one continues once it is enabled.",
  security: requires("admin"),
  request: { params },
  responses: {
    200: jsonAnswer("The webhook, which is not paused.", Webhook),
    ...problems("not_found", ...writeProblems),
  },
});

export const skipDelivery = createRoute({
  operationId: "skipDelivery",
  ...sdkExample(`
    const { id } = await engram.webhooks.create({ url: "https://hooks.example.com/engram" });
    const [failing] = await engram.webhooks.listDeliveries(id, { status: "pending" }).toArray({ max: 1 });
    if (failing !== undefined) await engram.webhooks.skipDelivery(id, failing.id);
  `),
  method: "post",
  path: "/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/skip",
  tags: ["Webhooks"],
  summary: "Skip an event",
  description:
    "Gives up the event that a webhook fails to deliver, and continues with the next one now, also after a pause. Use it for an event that the receiver can never process. If the event was delivered or skipped meanwhile, nothing changes, and `status` says which. An event without a failed attempt, or behind another that was not sent yet, is answered with 404. A request that is being sent is not stopped.",
  security: requires("admin"),
  request: { params: params.extend({ delivery_id: DeliveryId }) },
  responses: {
    200: jsonAnswer("The delivery, which is not pending.", Delivery),
    ...problems("not_found", ...writeProblems),
  },
});
