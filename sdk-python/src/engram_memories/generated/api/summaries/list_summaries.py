# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of, query_of
from ...models.summary_page import SummaryPage
from ...types import UNSET, Unset


def request(
    conversation_id: str,
    *,
    limit: int | Unset = UNSET,
    cursor: str | Unset = UNSET,
    level: int | Unset = UNSET,
    from_sequence: int | Unset = UNSET,
    to_sequence: int | Unset = UNSET,
) -> Request[SummaryPage]:
    return Request(
        "GET",
        path_of(
            "/v1/conversations/{conversation_id}/summaries",
            conversation_id=conversation_id,
        ),
        parse,
        query=query_of(
            limit=limit,
            cursor=cursor,
            level=level,
            from_sequence=from_sequence,
            to_sequence=to_sequence,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> SummaryPage:
    response_200 = SummaryPage.from_dict(body)

    return response_200
