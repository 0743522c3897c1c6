# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Sequence
from typing import Literal

from ...._http import AsyncHttp, Http
from ...._pages import AsyncList, List
from ...models.create_webhook_body_types_type_0_item import CreateWebhookBodyTypesType0Item
from ...models.delivery import Delivery
from ...models.delivery_page import DeliveryPage
from ...models.list_deliveries_status import ListDeliveriesStatus
from ...models.update_webhook_body_types_type_0_item import UpdateWebhookBodyTypesType0Item
from ...models.webhook import Webhook
from ...models.webhook_list import WebhookList
from ...models.webhook_test import WebhookTest
from ...models.webhook_with_secret import WebhookWithSecret
from ...types import UNSET, Unset
from . import create_webhook as _create_webhook
from . import delete_webhook as _delete_webhook
from . import get_webhook as _get_webhook
from . import list_deliveries as _list_deliveries
from . import list_webhooks as _list_webhooks
from . import resume_webhook as _resume_webhook
from . import rotate_webhook as _rotate_webhook
from . import skip_delivery as _skip_delivery
from . import test_webhook as _test_webhook
from . import update_webhook as _update_webhook


class WebhooksResource:
    def __init__(self, http: Http) -> None:
        self._http = http

    def list(
        self,
    ) -> WebhookList:
        """List webhooks.

        Returns all webhooks of the organization, at most 20, oldest first. Never returns secrets.

        Needs the scope `admin`.
        """
        return self._http.call(_list_webhooks.request())

    def create(
        self,
        *,
        url: str,
        types: Sequence[CreateWebhookBodyTypesType0Item] | None | Unset = UNSET,
        enabled: bool | Unset = UNSET,
        after: Literal["now"] | int | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> WebhookWithSecret:
        """Create a webhook.

        Creates a webhook: each event is sent to its URL by POST, signed as Standard Webhooks 1.0 states. The
        body is `{type, timestamp, data}`, and `data` is the event, which has ids and numbers, never content.
        The header `webhook-id` is the id of the event, also when it is sent again. Delivery is at least once
        and in order, one request at a time. Any status of 200 to 299 within 10 seconds is a success; a redirect
        is a failure. A failed event is tried again after 5 seconds, 5 and 30 minutes, then 2, 5, 10, 14, 20,
        20, 24 and 24 hours: five days in all. Later events wait for it. After the last attempt, the webhook is
        paused. An organization has at most 20 webhooks. The secret is shown only in this response, so a repeat
        with the same idempotency key fails with 409, whose `detail` names the id of the webhook.

        Needs the scope `admin`.

        Args:
            url: URL that events are sent to: `https`, with a public host name, and the port 443 or 8443.
                Addresses and internal names are refused. Hosts that the operator allows may be internal, and
                have any port and `http`.
            types: Types of events to send; null for all.
            enabled: Whether events are sent. Default `true`.
            after: Sequence after which events are sent: a number of the past to send earlier ones too. Default
                `now`.
        """
        return self._http.call(
            _create_webhook.request(
                url=url,
                types=types,
                enabled=enabled,
                after=after,
                idempotency_key=idempotency_key,
            )
        )

    def get(
        self,
        webhook_id: str,
    ) -> Webhook:
        """Get a webhook.

        Returns a webhook, without its secret.

        Needs the scope `admin`.
        """
        return self._http.call(
            _get_webhook.request(
                webhook_id=webhook_id,
            )
        )

    def delete(
        self,
        webhook_id: str,
    ) -> Webhook:
        """Delete a webhook.

        Deletes a webhook. A request that has begun may still arrive.

        Needs the scope `admin`.
        """
        return self._http.call(
            _delete_webhook.request(
                webhook_id=webhook_id,
            )
        )

    def update(
        self,
        webhook_id: str,
        *,
        url: str | Unset = UNSET,
        types: Sequence[UpdateWebhookBodyTypesType0Item] | None | Unset = UNSET,
        enabled: bool | Unset = UNSET,
        after: Literal["now"] | int | Unset = UNSET,
    ) -> Webhook:
        """Update a webhook.

        Changes the fields that the body has. A failed event is tried again soon, and its schedule starts again;
        `resumeWebhook` ends a pause. A webhook that is enabled again continues after its last event. Events
        older than seven days are no longer in the log. A request that is being sent is not stopped.

        Needs the scope `admin`.

        Args:
            url: URL that events are sent to: `https`, with a public host name, and the port 443 or 8443.
                Addresses and internal names are refused. Hosts that the operator allows may be internal, and
                have any port and `http`.
            types: Types of events to send; null for all.
            enabled: Whether you want events to be sent.
            after: Sequence after which events are sent: a number of the past to send them again, or `now` for
                events from now on.
        """
        return self._http.call(
            _update_webhook.request(
                webhook_id=webhook_id,
                url=url,
                types=types,
                enabled=enabled,
                after=after,
            )
        )

    def rotate(
        self,
        webhook_id: str,
    ) -> WebhookWithSecret:
        """Rotate the secret of a webhook.

        Gives the webhook a new secret, which is shown only in this response. For 24 hours, requests are signed
        with both the new and the old secret. A second rotation in that time ends the signatures with the old
        one. The webhook stays the same, so the request creates nothing and takes no idempotency key.

        Needs the scope `admin`.
        """
        return self._http.call(
            _rotate_webhook.request(
                webhook_id=webhook_id,
            )
        )

    def test(
        self,
        webhook_id: str,
    ) -> WebhookTest:
        """Test a webhook.

        Sends one event of the type `webhook.test` to the URL, signed as every event is, and returns how the
        receiver responded. It is not retried, does not change the webhook, and also works while the webhook is
        disabled or paused. A webhook has at most 10 tests in a minute, which begins with the first of them; a
        further one gets 429 with `Retry-After`, and sends nothing.

        Needs the scope `admin`.
        """
        return self._http.call(
            _test_webhook.request(
                webhook_id=webhook_id,
            )
        )

    def resume(
        self,
        webhook_id: str,
    ) -> Webhook:
        """Resume a webhook.

        Tries the failed event again now, in the background, and starts its schedule again. Ends a pause, and
        the wait for the next attempt. Later events follow in order. Changes nothing for a webhook without a
        failed event; a disabled one continues once it is enabled.

        Needs the scope `admin`.
        """
        return self._http.call(
            _resume_webhook.request(
                webhook_id=webhook_id,
            )
        )

    def list_deliveries(
        self,
        webhook_id: str,
        *,
        status: ListDeliveriesStatus | Unset = UNSET,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> List[Delivery, DeliveryPage]:
        """List deliveries of a webhook.

        Returns events of which an attempt failed, newest event first, with their last attempts. An event that
        was delivered at the first attempt is not listed: `after` of the webhook says up to where all were sent.
        A webhook keeps 500 deliveries, as long as their events are in the log, which is at most seven days.

        Needs the scope `admin`.

        Args:
            status: Only deliveries with this status.
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        def fetch(cursor: str | None) -> DeliveryPage:
            return self._http.call(
                _list_deliveries.request(
                    webhook_id=webhook_id,
                    status=status,
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return List(fetch, cursor or None)

    def skip_delivery(
        self,
        webhook_id: str,
        delivery_id: str,
    ) -> Delivery:
        """Skip an event.

        Gives up the event that a webhook fails to deliver, and continues with the next one now, also after a
        pause. Use it for an event that the receiver can never process. If the event was delivered or skipped
        meanwhile, nothing changes, and `status` says which. An event without a failed attempt, or behind
        another that was not sent yet, is answered with 404. A request that is being sent is not stopped.

        Needs the scope `admin`.
        """
        return self._http.call(
            _skip_delivery.request(
                webhook_id=webhook_id,
                delivery_id=delivery_id,
            )
        )


class AsyncWebhooksResource:
    def __init__(self, http: AsyncHttp) -> None:
        self._http = http

    async def list(
        self,
    ) -> WebhookList:
        """List webhooks.

        Returns all webhooks of the organization, at most 20, oldest first. Never returns secrets.

        Needs the scope `admin`.
        """
        return await self._http.call(_list_webhooks.request())

    async def create(
        self,
        *,
        url: str,
        types: Sequence[CreateWebhookBodyTypesType0Item] | None | Unset = UNSET,
        enabled: bool | Unset = UNSET,
        after: Literal["now"] | int | Unset = UNSET,
        idempotency_key: str | None = None,
    ) -> WebhookWithSecret:
        """Create a webhook.

        Creates a webhook: each event is sent to its URL by POST, signed as Standard Webhooks 1.0 states. The
        body is `{type, timestamp, data}`, and `data` is the event, which has ids and numbers, never content.
        The header `webhook-id` is the id of the event, also when it is sent again. Delivery is at least once
        and in order, one request at a time. Any status of 200 to 299 within 10 seconds is a success; a redirect
        is a failure. A failed event is tried again after 5 seconds, 5 and 30 minutes, then 2, 5, 10, 14, 20,
        20, 24 and 24 hours: five days in all. Later events wait for it. After the last attempt, the webhook is
        paused. An organization has at most 20 webhooks. The secret is shown only in this response, so a repeat
        with the same idempotency key fails with 409, whose `detail` names the id of the webhook.

        Needs the scope `admin`.

        Args:
            url: URL that events are sent to: `https`, with a public host name, and the port 443 or 8443.
                Addresses and internal names are refused. Hosts that the operator allows may be internal, and
                have any port and `http`.
            types: Types of events to send; null for all.
            enabled: Whether events are sent. Default `true`.
            after: Sequence after which events are sent: a number of the past to send earlier ones too. Default
                `now`.
        """
        return await self._http.call(
            _create_webhook.request(
                url=url,
                types=types,
                enabled=enabled,
                after=after,
                idempotency_key=idempotency_key,
            )
        )

    async def get(
        self,
        webhook_id: str,
    ) -> Webhook:
        """Get a webhook.

        Returns a webhook, without its secret.

        Needs the scope `admin`.
        """
        return await self._http.call(
            _get_webhook.request(
                webhook_id=webhook_id,
            )
        )

    async def delete(
        self,
        webhook_id: str,
    ) -> Webhook:
        """Delete a webhook.

        Deletes a webhook. A request that has begun may still arrive.

        Needs the scope `admin`.
        """
        return await self._http.call(
            _delete_webhook.request(
                webhook_id=webhook_id,
            )
        )

    async def update(
        self,
        webhook_id: str,
        *,
        url: str | Unset = UNSET,
        types: Sequence[UpdateWebhookBodyTypesType0Item] | None | Unset = UNSET,
        enabled: bool | Unset = UNSET,
        after: Literal["now"] | int | Unset = UNSET,
    ) -> Webhook:
        """Update a webhook.

        Changes the fields that the body has. A failed event is tried again soon, and its schedule starts again;
        `resumeWebhook` ends a pause. A webhook that is enabled again continues after its last event. Events
        older than seven days are no longer in the log. A request that is being sent is not stopped.

        Needs the scope `admin`.

        Args:
            url: URL that events are sent to: `https`, with a public host name, and the port 443 or 8443.
                Addresses and internal names are refused. Hosts that the operator allows may be internal, and
                have any port and `http`.
            types: Types of events to send; null for all.
            enabled: Whether you want events to be sent.
            after: Sequence after which events are sent: a number of the past to send them again, or `now` for
                events from now on.
        """
        return await self._http.call(
            _update_webhook.request(
                webhook_id=webhook_id,
                url=url,
                types=types,
                enabled=enabled,
                after=after,
            )
        )

    async def rotate(
        self,
        webhook_id: str,
    ) -> WebhookWithSecret:
        """Rotate the secret of a webhook.

        Gives the webhook a new secret, which is shown only in this response. For 24 hours, requests are signed
        with both the new and the old secret. A second rotation in that time ends the signatures with the old
        one. The webhook stays the same, so the request creates nothing and takes no idempotency key.

        Needs the scope `admin`.
        """
        return await self._http.call(
            _rotate_webhook.request(
                webhook_id=webhook_id,
            )
        )

    async def test(
        self,
        webhook_id: str,
    ) -> WebhookTest:
        """Test a webhook.

        Sends one event of the type `webhook.test` to the URL, signed as every event is, and returns how the
        receiver responded. It is not retried, does not change the webhook, and also works while the webhook is
        disabled or paused. A webhook has at most 10 tests in a minute, which begins with the first of them; a
        further one gets 429 with `Retry-After`, and sends nothing.

        Needs the scope `admin`.
        """
        return await self._http.call(
            _test_webhook.request(
                webhook_id=webhook_id,
            )
        )

    async def resume(
        self,
        webhook_id: str,
    ) -> Webhook:
        """Resume a webhook.

        Tries the failed event again now, in the background, and starts its schedule again. Ends a pause, and
        the wait for the next attempt. Later events follow in order. Changes nothing for a webhook without a
        failed event; a disabled one continues once it is enabled.

        Needs the scope `admin`.
        """
        return await self._http.call(
            _resume_webhook.request(
                webhook_id=webhook_id,
            )
        )

    def list_deliveries(
        self,
        webhook_id: str,
        *,
        status: ListDeliveriesStatus | Unset = UNSET,
        limit: int | Unset = UNSET,
        cursor: str | Unset = UNSET,
    ) -> AsyncList[Delivery, DeliveryPage]:
        """List deliveries of a webhook.

        Returns events of which an attempt failed, newest event first, with their last attempts. An event that
        was delivered at the first attempt is not listed: `after` of the webhook says up to where all were sent.
        A webhook keeps 500 deliveries, as long as their events are in the log, which is at most seven days.

        Needs the scope `admin`.

        Args:
            status: Only deliveries with this status.
            limit: Maximum number of items per page; a page may hold fewer. Default 20.
        """

        async def fetch(cursor: str | None) -> DeliveryPage:
            return await self._http.call(
                _list_deliveries.request(
                    webhook_id=webhook_id,
                    status=status,
                    limit=limit,
                    cursor=cursor or UNSET,
                )
            )

        return AsyncList(fetch, cursor or None)

    async def skip_delivery(
        self,
        webhook_id: str,
        delivery_id: str,
    ) -> Delivery:
        """Skip an event.

        Gives up the event that a webhook fails to deliver, and continues with the next one now, also after a
        pause. Use it for an event that the receiver can never process. If the event was delivered or skipped
        meanwhile, nothing changes, and `status` says which. An event without a failed attempt, or behind
        another that was not sent yet, is answered with 404. A request that is being sent is not stopped.

        Needs the scope `admin`.
        """
        return await self._http.call(
            _skip_delivery.request(
                webhook_id=webhook_id,
                delivery_id=delivery_id,
            )
        )
