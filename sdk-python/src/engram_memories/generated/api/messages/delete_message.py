# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Any

from ...._request import Request, path_of, query_of
from ...models.delete_message_operation import DeleteMessageOperation
from ...types import UNSET, Unset


def request(
    conversation_id: str,
    message_id: str,
    *,
    forget: bool | Unset = UNSET,
) -> Request[DeleteMessageOperation]:
    return Request(
        "DELETE",
        path_of(
            "/v1/conversations/{conversation_id}/messages/{message_id}",
            conversation_id=conversation_id,
            message_id=message_id,
        ),
        parse,
        query=query_of(
            forget=forget,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> DeleteMessageOperation:
    response_202 = DeleteMessageOperation.from_dict(body)

    return response_202
