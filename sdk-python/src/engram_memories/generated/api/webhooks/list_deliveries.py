# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of, query_of
from ...models.delivery_page import DeliveryPage
from ...models.list_deliveries_status import ListDeliveriesStatus
from ...types import UNSET, Unset


def request(
    webhook_id: str,
    *,
    status: ListDeliveriesStatus | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Request[DeliveryPage]:
    return Request(
        "GET",
        path_of(
            "/v1/webhooks/{webhook_id}/deliveries",
            webhook_id=webhook_id,
        ),
        parse,
        query=query_of(
            status=status,
            limit=limit,
            cursor=cursor,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> DeliveryPage:
    response_200 = DeliveryPage.from_dict(body)

    return response_200
