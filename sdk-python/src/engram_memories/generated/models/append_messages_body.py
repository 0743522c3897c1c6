# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.new_message import NewMessage


T = TypeVar("T", bound="AppendMessagesBody")


@_attrs_define
class AppendMessagesBody:
    messages: list[NewMessage]
    """ Messages to add, oldest first; 1 to 1,000. """
    wait: Literal["indexed"] | Unset = UNSET
    """ `indexed`: delay the response until the vector store has accepted the vectors of the messages, but for at
    most 25 seconds. Semantic search finds the messages some seconds after that, or at once if the service runs on a
    single machine. Default: respond without waiting. """

    def to_dict(self) -> dict[str, Any]:
        messages = []
        for messages_item_data in self.messages:
            messages_item = messages_item_data.to_dict()
            messages.append(messages_item)

        wait = self.wait

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "messages": messages,
            }
        )
        if wait is not UNSET:
            field_dict["wait"] = wait

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        from ..models.new_message import NewMessage  # noqa: PLC0415

        d = dict(src_dict)
        messages = []
        _messages = d.pop("messages")
        for messages_item_data in _messages:
            messages_item = NewMessage.from_dict(messages_item_data)

            messages.append(messages_item)

        wait = cast(Literal["indexed"] | Unset, d.pop("wait", UNSET))
        if wait != "indexed" and not isinstance(wait, Unset):
            raise ValueError(f"wait must match const 'indexed', got '{wait}'")

        append_messages_body = cls(
            messages=messages,
            wait=wait,
        )

        return append_messages_body
