# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of, query_of
from ...models.conversation_with_messages import ConversationWithMessages
from ...types import UNSET, Unset


def request(
    conversation_id: str,
    *,
    message_limit: int | Unset = UNSET,
    from_sequence: int | Unset = UNSET,
    as_of: str | Unset = UNSET,
) -> Request[ConversationWithMessages]:
    return Request(
        "GET",
        path_of(
            "/v1/conversations/{conversation_id}",
            conversation_id=conversation_id,
        ),
        parse,
        query=query_of(
            message_limit=message_limit,
            from_sequence=from_sequence,
            as_of=as_of,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> ConversationWithMessages:
    response_200 = ConversationWithMessages.from_dict(body)

    return response_200
