# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.archive import Archive


def request(
    archive_id: str,
) -> Request[Archive]:
    return Request(
        "DELETE",
        path_of(
            "/v1/archives/{archive_id}",
            archive_id=archive_id,
        ),
        parse,
        repeatable=True,
    )


def parse(status: int, body: Any) -> Archive:
    response_200 = Archive.from_dict(body)

    return response_200
