# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.delivery import Delivery


def request(
    webhook_id: str,
    delivery_id: str,
) -> Request[Delivery]:
    return Request(
        "POST",
        path_of(
            "/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/skip",
            webhook_id=webhook_id,
            delivery_id=delivery_id,
        ),
        parse,
        repeatable=False,
    )


def parse(status: int, body: Any) -> Delivery:
    response_200 = Delivery.from_dict(body)

    return response_200
