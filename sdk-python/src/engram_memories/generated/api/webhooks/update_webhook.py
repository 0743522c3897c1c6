# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Sequence
from typing import Any, Literal

from ...._request import Request, body_of, path_of
from ...models.update_webhook_body_types_type_0_item import UpdateWebhookBodyTypesType0Item
from ...models.webhook import Webhook
from ...types import UNSET, Unset


def request(
    webhook_id: str,
    *,
    url: str | Unset = UNSET,
    types: Sequence[UpdateWebhookBodyTypesType0Item] | None | Unset = UNSET,
    enabled: bool | Unset = UNSET,
    after: Literal["now"] | int | Unset = UNSET,
) -> Request[Webhook]:
    return Request(
        "PATCH",
        path_of(
            "/v1/webhooks/{webhook_id}",
            webhook_id=webhook_id,
        ),
        parse,
        content=body_of(
            url=url,
            types=types,
            enabled=enabled,
            after=after,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> Webhook:
    response_200 = Webhook.from_dict(body)

    return response_200
