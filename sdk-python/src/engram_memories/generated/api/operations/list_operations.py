# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of, query_of
from ...models.list_operations_status import ListOperationsStatus
from ...models.list_operations_type import ListOperationsType
from ...models.operation_page import OperationPage
from ...types import UNSET, Unset


def request(
    *,
    type: ListOperationsType | Unset = UNSET,
    status: ListOperationsStatus | Unset = UNSET,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
) -> Request[OperationPage]:
    return Request(
        "GET",
        path_of(
            "/v1/operations",
        ),
        parse,
        query=query_of(
            type=type,
            status=status,
            limit=limit,
            cursor=cursor,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> OperationPage:
    response_200 = OperationPage.from_dict(body)

    return response_200
