# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ListConversationsSort = Literal["created_at", "last_message_at", "updated_at"]


def check_list_conversations_sort(value: str) -> ListConversationsSort:
    return cast(ListConversationsSort, value)
