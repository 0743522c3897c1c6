# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from typing import Literal, cast

ListOperationsType = Literal[
    "create_archive",
    "delete_conversation",
    "delete_conversations",
    "delete_memories",
    "delete_memory",
    "delete_message",
    "delete_organization",
    "delete_user",
    "enrich_memories",
    "import",
    "move_organization",
    "repair_index",
]


def check_list_operations_type(value: str) -> ListOperationsType:
    return cast(ListOperationsType, value)
