# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar

from attrs import define as _attrs_define

T = TypeVar("T", bound="MessagesResultCut")


@_attrs_define
class MessagesResultCut:
    """Present if messages were left out, because of `max_tokens`, or because the result would have more than 50 messages
    or the response more than 2 MB. Pass the range to `listMessages` to read all of them.

    """

    from_sequence: int
    """ Sequence number of the first message of the complete range. """
    to_sequence: int
    """ Sequence number of the last message of the complete range. """

    def to_dict(self) -> dict[str, Any]:
        from_sequence = self.from_sequence

        to_sequence = self.to_sequence

        field_dict: dict[str, Any] = {}

        field_dict.update(
            {
                "from_sequence": from_sequence,
                "to_sequence": to_sequence,
            }
        )

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)
        from_sequence = d.pop("from_sequence")

        to_sequence = d.pop("to_sequence")

        messages_result_cut = cls(
            from_sequence=from_sequence,
            to_sequence=to_sequence,
        )

        return messages_result_cut
