# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.recall import Recall


def request(
    recall_id: str,
) -> Request[Recall]:
    return Request(
        "GET",
        path_of(
            "/v1/recalls/{recall_id}",
            recall_id=recall_id,
        ),
        parse,
        repeatable=True,
    )


def parse(status: int, body: Any) -> Recall:
    response_200 = Recall.from_dict(body)

    return response_200
