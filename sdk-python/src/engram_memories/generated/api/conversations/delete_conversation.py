# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, conditional, path_of, query_of
from ...models.delete_conversation_operation import DeleteConversationOperation
from ...types import UNSET, Unset


def request(
    conversation_id: str,
    *,
    forget: bool | Unset = UNSET,
    if_match: str | Unset = UNSET,
) -> Request[DeleteConversationOperation]:
    return Request(
        "DELETE",
        path_of(
            "/v1/conversations/{conversation_id}",
            conversation_id=conversation_id,
        ),
        parse,
        query=query_of(
            forget=forget,
        ),
        headers={
            **conditional(if_match),
        },
        repeatable=True,
    )


def parse(status: int, body: Any) -> DeleteConversationOperation:
    response_202 = DeleteConversationOperation.from_dict(body)

    return response_202
