# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ListConversationsOrder = Literal["asc", "desc"]


def check_list_conversations_order(value: str) -> ListConversationsOrder:
    return cast(ListConversationsOrder, value)
