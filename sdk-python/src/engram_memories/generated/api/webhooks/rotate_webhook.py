# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.webhook_with_secret import WebhookWithSecret


def request(
    webhook_id: str,
) -> Request[WebhookWithSecret]:
    return Request(
        "POST",
        path_of(
            "/v1/webhooks/{webhook_id}/rotate",
            webhook_id=webhook_id,
        ),
        parse,
        repeatable=False,
    )


def parse(status: int, body: Any) -> WebhookWithSecret:
    response_200 = WebhookWithSecret.from_dict(body)

    return response_200
