# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.replay import Replay


def request(
    recall_id: str,
) -> Request[Replay]:
    return Request(
        "POST",
        path_of(
            "/v1/recalls/{recall_id}/replay",
            recall_id=recall_id,
        ),
        parse,
        repeatable=True,
    )


def parse(status: int, body: Any) -> Replay:
    response_200 = Replay.from_dict(body)

    return response_200
