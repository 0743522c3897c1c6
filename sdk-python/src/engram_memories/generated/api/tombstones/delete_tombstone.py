# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.tombstone import Tombstone


def request(
    tombstone_id: str,
) -> Request[Tombstone]:
    return Request(
        "DELETE",
        path_of(
            "/v1/tombstones/{tombstone_id}",
            tombstone_id=tombstone_id,
        ),
        parse,
        repeatable=True,
    )


def parse(status: int, body: Any) -> Tombstone:
    response_200 = Tombstone.from_dict(body)

    return response_200
