# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from collections.abc import Mapping
from typing import Any

from ...._request import Request, body_of, idempotent, path_of
from ...models.conversations_counted import ConversationsCounted
from ...models.delete_conversations_body_filter import DeleteConversationsBodyFilter
from ...models.delete_conversations_operation import DeleteConversationsOperation
from ...types import UNSET, Unset


def request(
    *,
    filter: DeleteConversationsBodyFilter | Mapping[str, Any],
    dry_run: bool | Unset = UNSET,
    forget: bool | Unset = UNSET,
    idempotency_key: str | None = None,
) -> Request[ConversationsCounted | DeleteConversationsOperation]:
    return Request(
        "POST",
        path_of(
            "/v1/conversations/delete",
        ),
        parse,
        headers={
            **idempotent(idempotency_key),
        },
        content=body_of(
            filter=filter,
            dry_run=dry_run,
            forget=forget,
        ),
        repeatable=True,
    )


def parse(status: int, body: Any) -> ConversationsCounted | DeleteConversationsOperation:
    if status == 200:
        response_200 = ConversationsCounted.from_dict(body)

        return response_200
    response_202 = DeleteConversationsOperation.from_dict(body)

    return response_202
