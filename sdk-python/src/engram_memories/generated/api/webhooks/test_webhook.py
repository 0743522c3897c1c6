# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.webhook_test import WebhookTest


def request(
    webhook_id: str,
) -> Request[WebhookTest]:
    return Request(
        "POST",
        path_of(
            "/v1/webhooks/{webhook_id}/test",
            webhook_id=webhook_id,
        ),
        parse,
        repeatable=False,
    )


def parse(status: int, body: Any) -> WebhookTest:
    response_200 = WebhookTest.from_dict(body)

    return response_200
