# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.archive_schedule import ArchiveSchedule


def request() -> Request[ArchiveSchedule]:
    return Request(
        "GET",
        path_of(
            "/v1/archives/schedule",
        ),
        parse,
        repeatable=True,
    )


def parse(status: int, body: Any) -> ArchiveSchedule:
    response_200 = ArchiveSchedule.from_dict(body)

    return response_200
