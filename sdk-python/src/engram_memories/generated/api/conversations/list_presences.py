# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of
from ...models.presence_list import PresenceList


def request(
    conversation_id: str,
) -> Request[PresenceList]:
    return Request(
        "GET",
        path_of(
            "/v1/conversations/{conversation_id}/presence",
            conversation_id=conversation_id,
        ),
        parse,
        repeatable=True,
    )


def parse(status: int, body: Any) -> PresenceList:
    response_200 = PresenceList.from_dict(body)

    return response_200
