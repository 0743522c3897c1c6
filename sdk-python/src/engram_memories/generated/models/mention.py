# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="Mention")


@_attrs_define
class Mention:
    """A place in a message where an entity is mentioned."""

    conversation_id: str
    """ Id of a conversation. """
    message_id: str
    """ Id of a message. """
    sequence: int
    """ Sequence number of the message. """
    start: int
    """ Where the mention starts in the content of the message, in UTF-16 code units. """
    end: int
    """ Where the mention ends in the content of the message, in UTF-16 code units; exclusive. """
    text: str
    """ The mention, exactly as the message has it. """
    created_at: str
    """ `created_at` of the message. """

    def to_dict(self) -> dict[str, Any]:
        conversation_id = self.conversation_id

        message_id = self.message_id

        sequence = self.sequence

        start = self.start

        end = self.end

        text = self.text

        created_at = self.created_at

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "conversation_id": conversation_id,
                "message_id": message_id,
                "sequence": sequence,
                "start": start,
                "end": end,
                "text": text,
                "created_at": created_at,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        conversation_id = d.pop("conversation_id")

        message_id = d.pop("message_id")

        sequence = d.pop("sequence")

        start = d.pop("start")

        end = d.pop("end")

        text = d.pop("text")

        created_at = d.pop("created_at")

        mention = cls(
            conversation_id=conversation_id,
            message_id=message_id,
            sequence=sequence,
            start=start,
            end=end,
            text=text,
            created_at=created_at,
        )

        return mention
