# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Sequence
from typing import Any, Literal

from ...._request import Request, body_of, idempotent, path_of
from ...models.create_webhook_body_types_type_0_item import CreateWebhookBodyTypesType0Item
from ...models.webhook_with_secret import WebhookWithSecret
from ...types import UNSET, Unset


def request(
    *,
    url: str,
    types: Sequence[CreateWebhookBodyTypesType0Item] | None | Unset = UNSET,
    enabled: bool | Unset = UNSET,
    after: Literal["now"] | int | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[WebhookWithSecret]:
    return Request(
        "POST",
        path_of(
            "/v1/webhooks",
        ),
        parse,
        headers={
            **idempotent(idempotency_key),
        },
        content=body_of(
            url=url,
            types=types,
            enabled=enabled,
            after=after,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> WebhookWithSecret:
    response_201 = WebhookWithSecret.from_dict(body)

    return response_201
