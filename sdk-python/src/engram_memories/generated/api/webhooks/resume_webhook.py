# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.webhook import Webhook


def request(
    webhook_id: str,
) -> Request[Webhook]:
    return Request(
        "POST",
        path_of(
            "/v1/webhooks/{webhook_id}/resume",
            webhook_id=webhook_id,
        ),
        parse,
        repeatable=False,
    )


def parse(status: int, body: Any) -> Webhook:
    response_200 = Webhook.from_dict(body)

    return response_200
