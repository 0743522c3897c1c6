# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

if TYPE_CHECKING:
    from ..models.new_message import NewMessage


T = TypeVar("T", bound="ReplaceMessagesBody")


@_attrs_define
class ReplaceMessagesBody:
    expected_last_sequence: int
    """ Sequence number of the newest message that you have read; 0 if you have read none. If it is not the newest
    in the conversation, the request fails with 409 and changes nothing. """
    from_sequence: int
    """ Sequence number of the first message to delete. All messages from there on are deleted, at most 10,000. """
    messages: list[NewMessage]
    """ Messages to add in place of the deleted ones, with new sequence numbers. An empty list only deletes. At most
    1,000, and in total at most 2,097,152 bytes (content as UTF-8, everything else as JSON). """
    wait: Literal["indexed"] | Unset = UNSET
    """ `indexed`: delay the response until the vector store has accepted the vectors of the messages, but for at
    most 25 seconds. Semantic search finds the messages some seconds after that, or at once if the service runs on a
    single machine. Default: respond without waiting. """

    def to_dict(self) -> dict[str, Any]:
        expected_last_sequence = self.expected_last_sequence

        from_sequence = self.from_sequence

        messages = []
        for messages_item_data in self.messages:
            messages_item = messages_item_data.to_dict()
            messages.append(messages_item)

        wait = self.wait

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "expected_last_sequence": expected_last_sequence,
                "from_sequence": from_sequence,
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
        expected_last_sequence = d.pop("expected_last_sequence")

        from_sequence = d.pop("from_sequence")

        messages = []
        _messages = d.pop("messages")
        for messages_item_data in _messages:
            messages_item = NewMessage.from_dict(messages_item_data)

            messages.append(messages_item)

        wait = cast(Literal["indexed"] | Unset, d.pop("wait", UNSET))
        if wait != "indexed" and not isinstance(wait, Unset):
            raise ValueError(f"wait must match const 'indexed', got '{wait}'")

        replace_messages_body = cls(
            expected_last_sequence=expected_last_sequence,
            from_sequence=from_sequence,
            messages=messages,
            wait=wait,
        )

        return replace_messages_body
