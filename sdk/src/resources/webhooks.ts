import type { Call } from "../call.ts";
import type {
  CreateWebhookBody,
  Delivery,
  operations,
  UpdateWebhookBody,
  Webhook,
  WebhookList,
  WebhookTest,
  WebhookWithSecret,
} from "../generated/schema.ts";
import { type Http, idempotencyHeader } from "../http.ts";
import { List } from "../list.ts";
import type { CallOptions, WriteOptions } from "../options.ts";

/** Which deliveries to list. */
export type ListDeliveriesQuery = NonNullable<operations["listDeliveries"]["parameters"]["query"]>;

/** Create, list, update, rotate, test, resume and delete webhooks. Every call needs the scope `admin`. */
export class Webhooks {
  readonly #http: Http;

  /** @internal */
  constructor(http: Http) {
    this.#http = http;
  }

  /**
   * Create a webhook: a URL that events are sent to. The secret is in this response only.
   *
   * @throws {ApiError} `validation_failed` for a URL that is not public, `too_many_webhooks`; `secret_already_shown`
   *   when the webhook was created already, by an earlier request with your idempotency key, or by an earlier attempt
   *   of this call whose response was lost. The error's `mayHaveApplied` is true in the second case.
   * @example
   * ```ts
   * const { id, secret } = await engram.webhooks.create({
   *   url: "https://hooks.example.com/engram",
   *   types: ["messages.appended"],
   * });
   * ```
   */
  create(
    body: Partial<CreateWebhookBody> & Pick<CreateWebhookBody, "url">,
    options: WriteOptions = {},
  ): Call<WebhookWithSecret> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/webhooks", {
        ...init,
        params: { header: idempotencyHeader(options) },
        body: body as CreateWebhookBody,
      }),
    );
  }

  /**
   * List all webhooks, oldest first. Secrets are never included.
   *
   * @example
   * ```ts
   * const { items } = await engram.webhooks.list();
   * for (const { id, url, enabled } of items) console.log(id, url, enabled);
   * ```
   */
  list(options: CallOptions = {}): Call<WebhookList> {
    return this.#http.call(options, (client, init) => client.GET("/v1/webhooks", { ...init }));
  }

  /**
   * Get a webhook, without its secret.
   *
   * @throws {ApiError} `not_found` when the organization has no such webhook.
   * @example
   * ```ts
   * const { id } = await engram.webhooks.create({ url: "https://hooks.example.com/engram" });
   * const { enabled, after } = await engram.webhooks.get(id);
   * ```
   */
  get(webhookId: string, options: CallOptions = {}): Call<Webhook> {
    return this.#http.call(options, (client, init) =>
      client.GET("/v1/webhooks/{webhook_id}", { ...init, params: { path: { webhook_id: webhookId } } }),
    );
  }

  /**
   * Change the fields that `body` has. `after` sends earlier events again.
   *
   * @throws {ApiError} `not_found` when the organization has no such webhook.
   * @example
   * ```ts
   * const { id } = await engram.webhooks.create({ url: "https://hooks.example.com/engram" });
   * await engram.webhooks.update(id, { types: ["memory.created", "memory.deleted"] });
   * ```
   */
  update(webhookId: string, body: UpdateWebhookBody, options: CallOptions = {}): Call<Webhook> {
    return this.#http.call(options, (client, init) =>
      client.PATCH("/v1/webhooks/{webhook_id}", {
        ...init,
        params: { path: { webhook_id: webhookId } },
        body,
      }),
    );
  }

  /**
   * Delete a webhook. No request is sent to it from then on.
   *
   * @throws {ApiError} `not_found` when the organization has no such webhook.
   * @example
   * ```ts
   * const { id } = await engram.webhooks.create({ url: "https://hooks.example.com/engram" });
   * await engram.webhooks.delete(id);
   * ```
   */
  delete(webhookId: string, options: CallOptions = {}): Call<Webhook> {
    return this.#http.call(options, (client, init) =>
      client.DELETE("/v1/webhooks/{webhook_id}", { ...init, params: { path: { webhook_id: webhookId } } }),
    );
  }

  /**
   * Give a webhook a new secret, which is in this response only. For 24 hours, both secrets sign.
   *
   * @throws {ApiError} `not_found` when the organization has no such webhook.
   * @example
   * ```ts
   * const { id } = await engram.webhooks.create({ url: "https://hooks.example.com/engram" });
   * const { secret } = await engram.webhooks.rotate(id);
   * ```
   */
  rotate(webhookId: string, options: CallOptions = {}): Call<WebhookWithSecret> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/webhooks/{webhook_id}/rotate", {
        ...init,
        params: { path: { webhook_id: webhookId } },
      }),
    );
  }

  /**
   * Send a test event to a webhook, and wait for the response of the receiver. The event has the type `webhook.test`.
   *
   * @throws {ApiError} `not_found` when the organization has no such webhook.
   * @example
   * ```ts
   * const { id } = await engram.webhooks.create({ url: "https://hooks.example.com/engram", enabled: false });
   * const { attempt } = await engram.webhooks.test(id);
   * console.log(attempt.error ?? "delivered", attempt.status);
   * ```
   */
  test(webhookId: string, options: CallOptions = {}): Call<WebhookTest> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/webhooks/{webhook_id}/test", { ...init, params: { path: { webhook_id: webhookId } } }),
    );
  }

  /**
   * List the events of which an attempt failed, newest first, with their last attempts.
   *
   * @throws {ApiError} `not_found` when the organization has no such webhook.
   * @example
   * ```ts
   * const { id } = await engram.webhooks.create({ url: "https://hooks.example.com/engram" });
   * for await (const { sequence, attempts } of engram.webhooks.listDeliveries(id, { status: "pending" }))
   *   console.log(sequence, attempts.at(-1)?.error);
   * ```
   */
  listDeliveries(
    webhookId: string,
    query: ListDeliveriesQuery = {},
    options: CallOptions = {},
  ): List<Delivery> {
    const fetchPage = (cursor: string | undefined) =>
      this.#http.call(options, (client, init) =>
        client.GET("/v1/webhooks/{webhook_id}/deliveries", {
          ...init,
          params: { path: { webhook_id: webhookId }, query: { ...query, cursor } },
        }),
      );
    return new List(fetchPage, query.cursor);
  }

  /**
   * Try the failed event of a webhook again now, and end a pause. Later events follow in order.
   *
   * @throws {ApiError} `not_found` when the organization has no such webhook.
   * @example
   * ```ts
   * const { items } = await engram.webhooks.list();
   * for (const { id, paused_reason } of items) if (paused_reason !== null) await engram.webhooks.resume(id);
   * ```
   */
  resume(webhookId: string, options: CallOptions = {}): Call<Webhook> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/webhooks/{webhook_id}/resume", {
        ...init,
        params: { path: { webhook_id: webhookId } },
      }),
    );
  }

  /**
   * Give up the event that a webhook fails to deliver, and continue with the next one now, also after a pause.
   *
   * @param deliveryId the id of a delivery, which is that of its event.
   * @throws {ApiError} `not_found` for an event without a failed attempt, or behind another that was not sent yet.
   * @example
   * ```ts
   * const { id } = await engram.webhooks.create({ url: "https://hooks.example.com/engram" });
   * const [failing] = await engram.webhooks.listDeliveries(id, { status: "pending" }).toArray({ max: 1 });
   * if (failing !== undefined) await engram.webhooks.skipDelivery(id, failing.id);
   * ```
   */
  skipDelivery(webhookId: string, deliveryId: string, options: CallOptions = {}): Call<Delivery> {
    return this.#http.call(options, (client, init) =>
      client.POST("/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/skip", {
        ...init,
        params: { path: { webhook_id: webhookId, delivery_id: deliveryId } },
      }),
    );
  }
}
