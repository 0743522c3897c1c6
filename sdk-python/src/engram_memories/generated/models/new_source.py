# Generated from spec/openapi.json by `npm run generate:python`. Do not edit.
from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Type, TypeVar, cast

from attrs import define as _attrs_define

from ..types import UNSET, Unset

T = TypeVar("T", bound="NewSource")


@_attrs_define
class NewSource:
    """A message that a memory cites, or a part of it."""

    message_id: None | str | Unset = UNSET
    """ Id of the cited message. Or send `conversation_id` and `sequence`. """
    conversation_id: None | str | Unset = UNSET
    """ Conversation of the cited message, with `sequence`. """
    sequence: int | None | Unset = UNSET
    """ Sequence number of the cited message in `conversation_id`. """
    quote: None | str | Unset = UNSET
    """ Text that the message has word for word, at most 2,000 characters. If it occurs more than once, the first
    place counts. Default: the whole message is cited. """
    start: int | None | Unset = UNSET
    """ Instead of `quote`: offset at which the cited text starts, in UTF-16 code units, as in JavaScript strings.
    """
    end: int | None | Unset = UNSET
    """ Offset at which it ends, in the same unit (exclusive), at most 2,000 after `start`. """

    def to_dict(self) -> dict[str, Any]:
        message_id: None | str | Unset
        if isinstance(self.message_id, Unset):
            message_id = UNSET
        else:
            message_id = self.message_id

        conversation_id: None | str | Unset
        if isinstance(self.conversation_id, Unset):
            conversation_id = UNSET
        else:
            conversation_id = self.conversation_id

        sequence: int | None | Unset
        if isinstance(self.sequence, Unset):
            sequence = UNSET
        else:
            sequence = self.sequence

        quote: None | str | Unset
        if isinstance(self.quote, Unset):
            quote = UNSET
        else:
            quote = self.quote

        start: int | None | Unset
        if isinstance(self.start, Unset):
            start = UNSET
        else:
            start = self.start

        end: int | None | Unset
        if isinstance(self.end, Unset):
            end = UNSET
        else:
            end = self.end

        field_dict: dict[str, Any] = {}

        field_dict.update({})
        if message_id is not UNSET:
            field_dict["message_id"] = message_id
        if conversation_id is not UNSET:
            field_dict["conversation_id"] = conversation_id
        if sequence is not UNSET:
            field_dict["sequence"] = sequence
        if quote is not UNSET:
            field_dict["quote"] = quote
        if start is not UNSET:
            field_dict["start"] = start
        if end is not UNSET:
            field_dict["end"] = end

        return field_dict

    @classmethod
    def from_dict(cls: Type[T], src_dict: Mapping[str, Any]) -> T:
        d = dict(src_dict)

        def _parse_message_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        message_id = _parse_message_id(d.pop("message_id", UNSET))

        def _parse_conversation_id(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        conversation_id = _parse_conversation_id(d.pop("conversation_id", UNSET))

        def _parse_sequence(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        sequence = _parse_sequence(d.pop("sequence", UNSET))

        def _parse_quote(data: object) -> None | str | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(None | str | Unset, data)

        quote = _parse_quote(d.pop("quote", UNSET))

        def _parse_start(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        start = _parse_start(d.pop("start", UNSET))

        def _parse_end(data: object) -> int | None | Unset:
            if data is None:
                return data
            if isinstance(data, Unset):
                return data
            return cast(int | None | Unset, data)

        end = _parse_end(d.pop("end", UNSET))

        new_source = cls(
            message_id=message_id,
            conversation_id=conversation_id,
            sequence=sequence,
            quote=quote,
            start=start,
            end=end,
        )

        return new_source
