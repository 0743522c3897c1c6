# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="QueuedSummaries")


@_attrs_define
class QueuedSummaries:
    conversation_id: str
    """ Id of a conversation. """
    last_sequence: int
    """ Sequence number of the last message that the summaries will cover; 0 without messages. """

    def to_dict(self) -> dict[str, Any]:
        conversation_id = self.conversation_id

        last_sequence = self.last_sequence

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "conversation_id": conversation_id,
                "last_sequence": last_sequence,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        conversation_id = d.pop("conversation_id")

        last_sequence = d.pop("last_sequence")

        queued_summaries = cls(
            conversation_id=conversation_id,
            last_sequence=last_sequence,
        )

        return queued_summaries
