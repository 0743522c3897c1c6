# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.queued_summaries import QueuedSummaries


def request(
    conversation_id: str,
) -> Request[QueuedSummaries]:
    return Request(
        "POST",
        path_of(
            "/v1/conversations/{conversation_id}/summaries",
            conversation_id=conversation_id,
        ),
        parse,
        repeatable=True,
    )


def parse(status: int, body: Any) -> QueuedSummaries:
    response_202 = QueuedSummaries.from_dict(body)

    return response_202
