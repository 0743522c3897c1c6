# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, body_of, path_of
from ...models.archive_schedule import ArchiveSchedule
from ...types import UNSET, Unset


def request(
    *,
    every_days: int | None,
    keep_days: int | None | Unset = UNSET,
) -> Request[ArchiveSchedule]:
    return Request(
        "PUT",
        path_of(
            "/v1/archives/schedule",
        ),
        parse,
        content=body_of(
            every_days=every_days,
            keep_days=keep_days,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> ArchiveSchedule:
    response_200 = ArchiveSchedule.from_dict(body)

    return response_200
