# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="ConversationsCounted")


@_attrs_define
class ConversationsCounted:
    conversations: int
    """ Number of conversations that would be deleted now. """
    messages: int
    """ Number of messages in these conversations. """
    held: int
    """ Number of items that match the filter and are under legal hold. They would not be deleted. """
    complete: bool
    """ Whether all matching items were counted. `false` if counting would read more than 100,000 items with a
    filter by tags or metadata, or 1,250,000 otherwise. The counts then cover only the oldest items, and the
    deletion may delete more than they say. """

    def to_dict(self) -> dict[str, Any]:
        conversations = self.conversations

        messages = self.messages

        held = self.held

        complete = self.complete

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "conversations": conversations,
                "messages": messages,
                "held": held,
                "complete": complete,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        conversations = d.pop("conversations")

        messages = d.pop("messages")

        held = d.pop("held")

        complete = d.pop("complete")

        conversations_counted = cls(
            conversations=conversations,
            messages=messages,
            held=held,
            complete=complete,
        )

        return conversations_counted
