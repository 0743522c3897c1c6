# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ListConversationsVisibilityItem = Literal["own", "shared"]


def check_list_conversations_visibility_item(value: str) -> ListConversationsVisibilityItem:
    return cast(ListConversationsVisibilityItem, value)
