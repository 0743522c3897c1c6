# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.archive_manifest import ArchiveManifest


def request(
    archive_id: str,
) -> Request[ArchiveManifest]:
    return Request(
        "GET",
        path_of(
            "/v1/archives/{archive_id}",
            archive_id=archive_id,
        ),
        parse,
        repeatable=True,
    )


def parse(status: int, body: Any) -> ArchiveManifest:
    response_200 = ArchiveManifest.from_dict(body)

    return response_200
