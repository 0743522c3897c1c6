# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Sequence
from typing import Any

from ...._request import Request, body_of, path_of
from ...models.recall import Recall
from ...types import UNSET, Unset


def request(
    recall_id: str,
    *,
    used: Sequence[str] | Unset = UNSET,
    outcome: str | None | Unset = UNSET,
) -> Request[Recall]:
    return Request(
        "PATCH",
        path_of(
            "/v1/recalls/{recall_id}",
            recall_id=recall_id,
        ),
        parse,
        content=body_of(
            used=used,
            outcome=outcome,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> Recall:
    response_200 = Recall.from_dict(body)

    return response_200
