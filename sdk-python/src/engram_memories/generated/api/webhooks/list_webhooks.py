# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.webhook_list import WebhookList


def request() -> Request[WebhookList]:
    return Request(
        "GET",
        path_of(
            "/v1/webhooks",
        ),
        parse,
        repeatable=True,
    )


def parse(status: int, body: Any) -> WebhookList:
    response_200 = WebhookList.from_dict(body)

    return response_200
